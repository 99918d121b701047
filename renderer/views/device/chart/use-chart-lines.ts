import { useMemo } from 'react';
import type { ChartAddress } from '../../../chart/address.ts';
import type { ChartLine } from '../../../chart/draw/chart-line.ts';
import type { Drawing } from '../../../chart/draw/line.ts';
import { drawPicture, type Picture } from '../../../chart/draw/picture.ts';
import type { ChartData } from '../../../chart/load/loader.ts';
import { rateLabel, rateUnit } from '../../../chart/rates/rate.ts';
import { groupAxes, type Measured } from '../../../chart/scale/group-axes.ts';
import { numbersIn } from '../../../chart/scale/outliers.ts';
import { panesOf, type Pane } from '../../../chart/scale/panes.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { nameOfKey } from '../../../components/facts/key-words.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import type { Behind } from './use-behind.ts';
import { useStacked } from './use-stacked.ts';

interface Asked {
  readonly device_id: string;
  readonly keys: readonly string[];
  readonly looks: readonly number[];
  readonly settingsOf: SettingsOf;
  readonly chart: ChartAddress;
  readonly data: Pick<ChartData, 'picture' | 'bounds' | 'state' | 'points'>;
  /** What is drawn pale behind: the same keys. */
  readonly behind?: Behind | null;
  readonly window: TimeSpan;
  /** Of the plot, in pixels of the screen. */
  readonly width: number;
}

interface ChartLines {
  /** One a key, shown or not. */
  readonly lines: readonly ChartLine[];
  readonly hidden: ReadonlySet<string>;
  /** µs of silence that break a line, where somebody has said so; one a key. */
  readonly gaps: readonly (number | null)[];
  /** Whether each key has a plot of its own. */
  readonly isStacked: boolean;
  /** Null while there is nothing to draw. */
  readonly drawing: Drawing | null;
  readonly panes: readonly Pane[];
}

/** The lines of a device's keys, and the plots that show them. */
export function useChartLines(asked: Asked): ChartLines {
  const { device_id, keys, looks, settingsOf, chart, data, behind = null, width } = asked;
  const { picture, bounds } = data;
  const { from, to } = asked.window;
  const { y = 'auto', fixed, hidden: left, rates } = chart;
  const hidden = useMemo(() => new Set(left), [left]);
  const measured = keys.map((key, index): Measured => {
    const { unit, axis } = settingsOf(device_id, key);
    const rate = rates?.[key];
    return { bounds: bounds[index] ?? NO_BOUNDS, unit: rate ? rateUnit(unit, rate) : unit, wanted: axis };
  });
  const isStacked = useStacked({
    device_id,
    keys: keys.map((key) => (rates?.[key] ? `${key} per time` : key)),
    measured: bounds.length === keys.length && picture ? measured : null,
    isKnown: data.state === 'ready' && data.points >= FEW,
    chart,
  });
  // What is not shown decides nothing.
  const shown = measured.map((one, index) =>
    hidden.has(keys[index] ?? '') ? { ...one, bounds: NO_BOUNDS } : one,
  );
  const sides = groupAxes(shown).join();
  const lines = useMemo(() => {
    const axes = sides.split(',');
    return keys.map((key, index): ChartLine => {
      const settings = settingsOf(device_id, key);
      const name = nameOfKey(key, settings);
      const rate = rates?.[key];
      return {
        id: key,
        device_id,
        key,
        label: rate ? rateLabel(name, rate) : name,
        unit: rate ? rateUnit(settings.unit, rate) : settings.unit,
        look: looks[index] ?? index,
        axis: axes[index] === 'right' ? 'right' : 'left',
      };
    });
  }, [keys, looks, sides, device_id, settingsOf, rates]);
  const gaps = useMemo(
    () =>
      keys.map((key) => {
        const { longest_gap_s: longest } = settingsOf(device_id, key);
        return longest === null ? null : longest * SECOND_US;
      }),
    [keys, settingsOf, device_id],
  );
  const drawing = useMemo(
    () => picture && drawPicture(picture, { from, to }, width, gaps),
    [picture, from, to, width, gaps],
  );
  const pale = useMemo(
    () => behind && paleLines(behind, drawing, drawPicture(behind.picture, { from, to }, width, gaps)),
    [behind, drawing, from, to, width, gaps],
  );
  const panes = useMemo(
    () =>
      panesOf({
        lines,
        drawing: drawing ?? [],
        behind: pale ?? [],
        hidden,
        isStacked,
        mode: y,
        fixed: fixed ?? {},
        numbersOf: (place) =>
          numbersOf([picture, behind?.what === 'stored' ? behind.picture : null], place, { from, to }),
      }),
    [lines, drawing, pale, hidden, isStacked, y, fixed, picture, behind, from, to],
  );
  return { lines, hidden, gaps, isStacked, drawing, panes };
}

/**
 * Lines that are drawn behind others. A value that is flagged has room up to as far beyond the line as that reaches itself: an
 * outlier that was taken out must not press the rest flat.
 */
function paleLines({ what }: Behind, drawing: Drawing | null, pale: Drawing): Drawing {
  if (what === 'stored') return pale;
  return pale.map((line, place) => {
    const { min, max } = drawing?.[place] ?? NO_BOUNDS;
    if (min > max) return line;
    return {
      ...line,
      min: Math.max(line.min, min - (max - min)),
      max: Math.min(line.max, max + (max - min)),
    };
  });
}

/** What an axis is measured by: also what was stored, pale behind a line. */
function numbersOf(pictures: readonly (Picture | null)[], place: number, window: TimeSpan): Float64Array {
  const [first = NO_NUMBERS, ...others] = pictures.flatMap((picture) =>
    picture ? numbersIn(picture, place, window) : [],
  );
  return others.length === 0
    ? first
    : Float64Array.from([first, ...others].flatMap((numbers) => [...numbers]));
}

const NO_NUMBERS = new Float64Array();
const SECOND_US = 1_000_000;
/** Fewer records say little of what a key is like. */
const FEW = 10;
const NO_BOUNDS = { min: Infinity, max: -Infinity };
