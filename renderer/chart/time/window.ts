import { lowerBound } from '#shared/values/lower-bound.ts';

/** A span of time on the chart, in whole µs, both ends inclusive. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The closest look at time that the axis can label: its ticks are whole milliseconds. */
const NARROWEST_US = 5_000;

/** The window from a first record to a last one; a single instant gets a second on either side. */
export function windowBetween(first: number, last: number): TimeSpan {
  return first === last ? { from: first - 1e6, to: last + 1e6 } : { from: first, to: last };
}

/** The span of sorted timestamps; null without any. */
export function windowOf(timestamps: Float64Array): TimeSpan | null {
  const first = timestamps[0];
  const last = timestamps.at(-1);
  return first === undefined || last === undefined ? null : windowBetween(first, last);
}

/** Narrows (factor < 1) or widens a window around an instant that keeps its place, inside `whole`. */
export function zoom(window: TimeSpan, factor: number, around: number, whole: TimeSpan): TimeSpan {
  const span = Math.max(NARROWEST_US, (window.to - window.from) * factor);
  const share = (around - window.from) / (window.to - window.from);
  const from = around - share * span;
  return fitted({ from, to: from + span }, whole);
}

/** Moves a window by a share of its width: negative towards the past. Stops at the ends of `whole`. */
export function pan(window: TimeSpan, share: number, whole: TimeSpan): TimeSpan {
  const shift = (window.to - window.from) * share;
  return fitted({ from: window.from + shift, to: window.to + shift }, whole);
}

/** The window that was dragged over, no narrower than the axis can label. */
export function selected(from: number, to: number, whole: TimeSpan): TimeSpan {
  const missing = Math.max(0, NARROWEST_US - (to - from)) / 2;
  return fitted({ from: from - missing, to: to + missing }, whole);
}

function fitted(window: TimeSpan, whole: TimeSpan): TimeSpan {
  const span = Math.round(window.to - window.from);
  if (span >= whole.to - whole.from) return whole;
  const from = Math.max(whole.from, Math.min(whole.to - span, Math.round(window.from)));
  return { from, to: from + span };
}

/** Whether they are one and the same; null is all there is. */
export function isSameSpan(a: TimeSpan | null, b: TimeSpan | null): boolean {
  return a?.from === b?.from && a?.to === b?.to;
}

/** Whether all of `inner` lies in `outer`. */
export function covers(outer: TimeSpan, inner: TimeSpan): boolean {
  return outer.from <= inner.from && inner.to <= outer.to;
}

/** A window of at least `span` µs with the given one in its middle, as far as `whole` reaches. */
export function widened(window: TimeSpan, span: number, whole: TimeSpan): TimeSpan {
  const missing = Math.max(0, Math.round((span - (window.to - window.from)) / 2));
  return {
    from: Math.max(whole.from, window.from - missing),
    to: Math.min(whole.to, window.to + missing),
  };
}

/** Index of the first timestamp that is not before `instant`; the length when all are. */
export function firstNotBefore(timestamps: Float64Array, instant: number): number {
  return lowerBound(timestamps, 0, timestamps.length, instant);
}

/** Index of the timestamp closest to `instant`; -1 without any. */
export function nearest(timestamps: Float64Array, instant: number): number {
  const after = firstNotBefore(timestamps, instant);
  if (after === 0) return timestamps.length > 0 ? 0 : -1;
  const later = timestamps[after];
  const earlier = timestamps[after - 1];
  if (later === undefined || earlier === undefined) return after - 1;
  return later - instant < instant - earlier ? after : after - 1;
}
