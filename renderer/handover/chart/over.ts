import type { View } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import { correctionBands } from '../../chart/corrections/correction-bands.ts';
import { notesIn } from '../../chart/picture-file/plots-svg.ts';
import { sceneNotes } from '../../chart/picture-file/scene-of.ts';
import type { TimeSpan } from '../../chart/time/window.ts';
import { lineWords, type Called } from '../../components/corrections/correction-words.ts';
import { el, show } from '../parts/dom.ts';

/** Flags that have room over a plot. */
const MOST_FLAGS = 100;

interface Over {
  readonly window: TimeSpan;
  readonly notes: readonly Note[];
  readonly corrections: readonly ShownCorrection[];
  readonly view: View;
  readonly called: Called;
  /** µs; null for none. */
  readonly cursor: number | null;
  /** Whether it is the first plot, which has the numbers of the notes, and the last, which has the corrected spans. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Puts over a plot what lies over it: the notes' flags, corrected spans and the cursor. Tables below say all of it in words. */
export function showOver(element: HTMLElement, over: Over): void {
  const { window, cursor, isFirst, isLast, called } = over;
  const share = (instant: number) => (instant - window.from) / (window.to - window.from);
  const flags = notesIn({ notes: sceneNotes(over.notes), window }).slice(0, MOST_FLAGS);
  show(
    element,
    flags.map(({ start, end, text }, place) => {
      const flag = el(
        'div',
        { class: 'flag' },
        isFirst ? el('span', { title: text }, String(place + 1)) : null,
      );
      lie(flag, share(start), end === null ? share(start) : share(end));
      return flag;
    }),
    isLast
      ? correctionBands(over.corrections, window, over.view).map(({ lane, left, right, corrections }) => {
          const title = corrections.map((one) => lineWords(one, called)).join('\n');
          const band = el('div', { class: `band lane-${lane}`, title });
          lie(band, left, right);
          return band;
        })
      : null,
    cursor === null || cursor < window.from || cursor > window.to ? null : lineAt(share(cursor)),
  );
}

function lineAt(at: number): HTMLElement {
  const line = el('div', { class: 'cursor' });
  lie(line, at, at);
  return line;
}

/** From one share of the width to another, as far as they are in it. */
function lie(element: HTMLElement, from: number, to: number): void {
  const [left, right] = [Math.max(0, from), Math.min(1, to)];
  Object.assign(element.style, { left: `${left * 100}%`, width: `${Math.max(0, right - left) * 100}%` });
}
