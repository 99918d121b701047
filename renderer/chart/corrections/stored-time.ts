import type { View } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import type { TimeSpan } from '../time/window.ts';

/*
 * Corrections speak of stored times, and a chart shows corrected ones. What is selected there is turned into the stored spans
 * that it shows, and a stored span into where it is seen. As the service reads them: of several corrections of one moment of
 * the clock the newest holds.
 */

/** A stretch of stored time with one correction of its clock; both ends belong to it. */
interface ClockSpan extends TimeSpan {
  /** The corrected time; it never falls. Null: as stored. */
  readonly clock: ((stored: Micros) => Micros) | null;
}

/** The stretches of stored time, in order and without a gap: all of time. */
function clockSpans(corrections: readonly ShownCorrection[]): readonly ClockSpan[] {
  const clocks = corrections.flatMap((correction) => {
    const [from, to] = [parseInstant(correction.from ?? ''), parseInstant(correction.to ?? '')];
    if (correction.kind !== 'time' || from === null || to === null) return [];
    return { from, to, clock: clockOf(correction) };
  });
  const edges = new Set([-Infinity]);
  for (const { from, to } of clocks) edges.add(from).add(to + 1);
  const starts = [...edges].toSorted((a, b) => a - b);
  return starts.map((from, index) => {
    const to = (starts[index + 1] ?? Infinity) - 1;
    return {
      from,
      to,
      clock: clocks.findLast((each) => each.from <= from && from <= each.to)?.clock ?? null,
    };
  });
}

function clockOf({ shift_us, at }: ShownCorrection): (stored: Micros) => Micros {
  if (shift_us !== undefined) return (stored) => stored + shift_us;
  const [[raw, from], [rawEnd, to]] = (at ?? NO_MOMENTS).map((pair) =>
    pair.map((text) => parseInstant(text) ?? 0),
  ) as [[number, number], [number, number]];
  const rate = (to - from) / (rawEnd - raw);
  return (stored) => Math.round(from + (stored - raw) * rate);
}

const NO_MOMENTS = [
  ['', ''],
  ['', ''],
] as const;

/**
 * The spans of stored time that a span of a view shows: one, unless a clock was put right within it. In order. Where nothing is
 * stored, outside of `stored`, nothing is shown; null: that is not known.
 */
export function storedSpans(
  corrections: readonly ShownCorrection[],
  shown: TimeSpan,
  view: View,
  stored: TimeSpan | null = null,
): readonly TimeSpan[] {
  if (view === 'raw') return [shown];
  const found: TimeSpan[] = [];
  const { from: first, to: last } = stored ?? { from: -Infinity, to: Infinity };
  for (const { from: start, to: end, clock } of clockSpans(corrections)) {
    const from = clock
      ? firstStored(clock, shown.from, { from: start, to: end })
      : Math.max(start, shown.from);
    const to = clock
      ? firstStored(clock, shown.to + 1, { from: start, to: end }) - 1
      : Math.min(end, shown.to);
    if (from > to || from > last || to < first) continue;
    const before = found.at(-1);
    if (before && before.to + 1 === from) found[found.length - 1] = { from: before.from, to };
    else found.push({ from, to });
  }
  return found;
}

/** Where a view shows a span of stored time: one place, unless a clock was put right within it. In order of stored time. */
export function shownSpans(
  corrections: readonly ShownCorrection[],
  stored: TimeSpan,
  view: View,
): readonly TimeSpan[] {
  if (view === 'raw') return [stored];
  return clockSpans(corrections).flatMap(({ from: start, to: end, clock }) => {
    const [from, to] = [Math.max(start, stored.from), Math.min(end, stored.to)];
    if (from > to) return [];
    return clock ? { from: clock(from), to: clock(to) } : { from, to };
  });
}

/** The first stored time of a span whose corrected one is at least `time`; the one behind the span where none is. */
function firstStored(clock: (stored: Micros) => Micros, time: Micros, { from, to }: TimeSpan): Micros {
  let [low, high] = [from, to + 1];
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (clock(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
