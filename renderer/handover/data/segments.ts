import { KINDS, valueAt, type UnpackedColumn } from '#shared/handover/packed-columns.ts';
import type { Segment, Strip } from '../../chart/states/strip.ts';
import { firstNotBefore, type TimeSpan } from '../../chart/time/window.ts';

/* Texts and booleans of a window as a strip: from one value to the next, as long as each lasted. */

/** Different values that a strip can tell apart; a key with more is a text, not a state. */
const MOST_WORDS = 12;

/** The words of a key that has no numbers, in order; null where it has too many to be told apart, or none. */
export function wordsOf(column: UnpackedColumn): readonly string[] | null {
  const words = new Set<string>();
  if (column.kinds.includes(KINDS.false)) words.add('false');
  if (column.kinds.includes(KINDS.true)) words.add('true');
  for (const text of column.texts.values()) {
    words.add(wordOf(text));
    if (words.size >= MOST_WORDS) return null;
  }
  return words.size === 0 ? null : [...words].toSorted();
}

const wordOf = (text: string) => (text === '' ? '(empty)' : text);

/** What held when, in a window of so many pixels: values that change within a pixel are one segment without a word. */
export function stripIn(
  {
    key,
    column,
    words,
  }: { readonly key: string; readonly column: UnpackedColumn; readonly words: readonly string[] },
  times: Float64Array,
  window: TimeSpan,
  width: number,
): Strip {
  const pixel = (window.to - window.from) / width;
  const segments: Segment[] = [];
  const add = (from: number, to: number, word: string) => {
    const before = segments.at(-1);
    if (before?.word === word) segments[segments.length - 1] = { ...before, to, seenTo: to };
    else if (before && from - before.from < pixel && to - before.from < 2 * pixel)
      segments[segments.length - 1] = {
        ...before,
        to,
        word: null,
        place: -1,
        changes: before.changes + 1,
        seenTo: to,
      };
    else
      segments.push({
        from,
        to,
        word,
        place: words.indexOf(word),
        changes: 0,
        isFromKnown: true,
        isToKnown: true,
        seenTo: to,
      });
  };
  let held: string | null = null;
  let since = 0;
  const end = firstNotBefore(times, window.to + 1);
  for (let row = rowHeld(column, firstNotBefore(times, window.from)); row < end; row++) {
    const value = valueAt(column, row);
    if (value === undefined || typeof value === 'number') continue;
    const word = typeof value === 'string' ? wordOf(value) : String(value);
    const time = times[row] ?? 0;
    if (held === word) continue;
    if (held !== null) add(since, time, held);
    [held, since] = [word, Math.max(window.from, time)];
  }
  const last = times.at(-1) ?? 0;
  if (held !== null) add(since, Math.max(since, Math.min(window.to, last)), held);
  return { key, words, segments, last };
}

/** The row before `row` whose value still holds there; `row` without one. */
function rowHeld({ kinds }: UnpackedColumn, row: number): number {
  for (let at = row - 1; at >= 0; at--) if ((kinds[at] ?? 0) > KINDS.number) return at;
  return row;
}
