import type { KeyStates } from '#shared/operations/records/states.ts';
import { parseInstant } from '#shared/values/time.ts';
import { countOf, formatSpan } from '../../format.ts';
import { formatClock, formatDay, type Zone } from '../../time.ts';
import type { TimeSpan } from '../time/window.ts';

/* The states of one key as a strip: from one value to the next, as long as each lasted. */

/** Different values that a strip can tell apart; a key with more is a text, not a state. */
const MOST_WORDS = 12;

export interface Segment {
  /** µs. */
  readonly from: number;
  readonly to: number;
  /** Null where several values lie within a pixel. */
  readonly word: string | null;
  /** The place of its word among those of its strip; -1 without one. */
  readonly place: number;
  readonly changes: number;
  readonly isFromKnown: boolean;
  readonly isToKnown: boolean;
  /** Until when the value is known to hold: where nothing ends it, when it was stored last. In µs. */
  readonly seenTo: number;
}

/** How the segments of a word look where it is no matter of telling words apart. */
export type Paint = 'plain' | 'warning' | 'hatched';

export interface Strip {
  readonly key: string;
  readonly words: readonly string[];
  /** By the place of a word; absent: each has a colour of its own. */
  readonly paints?: readonly Paint[];
  readonly segments: readonly Segment[];
  /** Of the newest value; what lies behind it is not known to last. In µs. */
  readonly last: number;
}

/** Null where a key has no states, or too many to be told apart. `until` is where what still holds ends: now, mostly. */
export function stripOf({ key, words: count, last_time, runs }: KeyStates, until: number): Strip | null {
  if (count === 0 || count >= MOST_WORDS) return null;
  const words = [...new Set(runs.flatMap(({ value }) => (value === null ? [] : wordOf(value))))].toSorted();
  const last = parseInstant(last_time ?? '') ?? Infinity;
  const segments = runs.flatMap((run): Segment[] => {
    const from = parseInstant(run.from) ?? 0;
    const end = parseInstant(run.to) ?? 0;
    const to = run.to_known ? end : Math.min(end, Math.max(from, until));
    const word = run.value === null ? null : wordOf(run.value);
    const place = word === null ? -1 : words.indexOf(word);
    const { changes, from_known: isFromKnown, to_known: isToKnown } = run;
    const seenTo = isToKnown ? to : Math.max(from, Math.min(to, last));
    return [{ from, to, word, place, changes, isFromKnown, isToKnown, seenTo }];
  });
  return { key, words, segments, last };
}

/** `on` and `off` would be a guess: a boolean is what it was stored as. */
function wordOf(value: string | boolean): string {
  return value === '' ? '(empty)' : String(value);
}

/** The segment at an instant; of several that touch there the later one, the nearest where there is none. */
export function segmentAt({ segments }: Strip, instant: number): number {
  const at = segments.findLastIndex(({ from }) => from <= instant);
  return Math.max(0, at);
}

/** `true 95 %, 60 changes`: whole where it is all or nothing, and nowhere else. */
export function shareWords(share: number, { segments }: Strip): string {
  const percent = share * 100;
  const rounded = Math.min(99.9, Math.max(0.1, Number(percent.toFixed(1))));
  const told = share === 0 || share === 1 ? percent : rounded;
  const changes = segments.reduce((sum, one) => sum + one.changes, Math.max(0, segments.length - 1));
  return `true ${told} %, ${countOf(changes, 'change')}`;
}

const SECOND = 1e6;
/** `open, 14:02–15:10, 1 h 8 min`. */
export function segmentWords(segment: Segment, zone: Zone): string {
  const { from, to, word, changes, isFromKnown, isToKnown, seenTo } = segment;
  const what = word ?? countOf(changes, 'change');
  const [begin, end] = timesOf(segment, zone);
  const span = `${begin}–${end}`;
  if (word === null) return `${what}, ${span}`;
  const length = formatSpan(to - from);
  if (isFromKnown && isToKnown) return `${what}, ${span}, ${length}`;
  if (isToKnown) return `${what}, until ${end}, at least ${length}`;
  // A device that went silent says nothing of the time since.
  if (isFromKnown)
    return `${what}, since ${begin}${seenTo > from ? `, at least ${formatSpan(seenTo - from)}` : ''}`;
  return seenTo > from ? `${what}, all of this span` : `${what}, stored before this span`;
}

/** The clock at both ends, with the day where they differ in it, and seconds where they matter. */
function timesOf({ from, to }: TimeSpan, zone: Zone): readonly [string, string] {
  const isShort = to - from < 120 * SECOND;
  const clock = (instant: number) => {
    const whole = formatClock(Math.floor(instant / 1000) * 1000, zone);
    return isShort ? whole : whole.slice(0, 5);
  };
  const isOneDay = formatDay(from, zone) === formatDay(to, zone);
  const at = (instant: number) =>
    isOneDay ? clock(instant) : `${formatDay(instant, zone)} ${clock(instant)}`;
  return [at(from), at(to)];
}
