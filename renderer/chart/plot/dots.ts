import type uPlot from 'uplot';
import type { KeyReading } from '#shared/bridge/wire.ts';

/** Pixels that a dot is wide. */
const SIZE = 7;

/** Dots over a plot, one a line, that say which number of each the readout speaks of. */
export class Dots {
  readonly #dots: readonly HTMLElement[];
  #isShown = false;

  /** `colors` has one for each line. */
  constructor(chart: uPlot, colors: readonly string[]) {
    this.#dots = colors.map((color) => {
      const dot = document.createElement('div');
      Object.assign(dot.style, {
        position: 'absolute',
        width: `${SIZE}px`,
        height: `${SIZE}px`,
        margin: `${-SIZE / 2}px`,
        borderRadius: '50%',
        background: color,
        pointerEvents: 'none',
        display: 'none',
      });
      chart.over.append(dot);
      return dot;
    });
  }

  /** Puts each dot where its number is painted now; those without one, or beyond the plot, are hidden. */
  place(chart: uPlot, readings: readonly (KeyReading | null)[]): void {
    // What is not there costs nothing: the size of an element makes the browser lay the page out.
    const isShown = readings.length > 0;
    if (!isShown && !this.#isShown) return;
    this.#isShown = isShown;
    const { clientWidth, clientHeight } = chart.over;
    for (const [line, dot] of this.#dots.entries()) {
      const reading = readings[line];
      const scale = chart.series[line + 1]?.scale ?? '';
      const left = reading ? chart.valToPos(reading.instant / 1000, 'x') : Number.NaN;
      const top = reading ? chart.valToPos(reading.value, scale) : Number.NaN;
      const isSeen = left >= 0 && left <= clientWidth && top >= 0 && top <= clientHeight;
      dot.style.display = isSeen ? 'block' : 'none';
      if (isSeen) Object.assign(dot.style, { left: `${left}px`, top: `${top}px` });
    }
  }
}
