import { LineBuilder, type Line } from '../draw/line.ts';
import type { Picture } from '../draw/picture.ts';
import { rowBefore, rowFrom } from '../draw/draw-records.ts';
import { firstNotBefore, type TimeSpan } from '../time/window.ts';

/*
 * What one line is above another: at every instant at which either has a number, each with the number that it had last,
 * unless its silence is too long to say anything.
 */

/** A silence of more than so many usual intervals says nothing of a value, as it breaks a line. */
const PAUSE_FACTOR = 10;

/** Numbers of one line, ascending in time (µs); how long one is held, in µs. */
export interface Held {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly pause: number;
}

/** Differences, ascending in time; at each of `starts` one begins that no line leads to. */
export interface Difference {
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly starts: readonly number[];
}

/**
 * The numbers of a line of a picture in a window, and those on either side of it, moved by `offset` µs. Where records are
 * summarised it is the last number of each column of pixels: what the line was there.
 */
export function heldOf(picture: Picture, place: number, offset: number, { from, to }: TimeSpan): Held {
  const times: number[] = [];
  const values: number[] = [];
  const take = (time: number, value: number) => {
    times.push(time + offset);
    values.push(value);
  };
  let longest = Infinity;
  if (picture.kind === 'records') {
    const { timestamps, columns } = picture.view;
    const column = columns[place] ?? new Float64Array();
    const first = firstNotBefore(timestamps, from - offset);
    const end = firstNotBefore(timestamps, to - offset + 1);
    const before = rowBefore(column, first);
    const after = rowFrom(column, end);
    const last = after === -1 ? end : after + 1;
    for (let row = before === -1 ? first : before; row < last; row++) {
      const value = column[row] ?? Number.NaN;
      if (!Number.isNaN(value)) take(timestamps[row] ?? 0, value);
    }
    longest = pauseOf(picture.facts[place]?.interval);
  } else {
    const key = picture.series.keys[place];
    const { start, end, width } = picture.series;
    if (key?.before) take(key.before.instant, key.before.value);
    for (const [column, count] of key?.counts.entries() ?? [])
      if (count > 0) take(key?.lastTimes[column] ?? 0, key?.last[column] ?? 0);
    if (key?.after) take(key.after.instant, key.after.value);
    // A column of pixels keeps its last number alone: no silence is shorter than one.
    longest = Math.max(pauseOf(key?.interval), (2 * (end - start + 1)) / width);
  }
  return { times: Float64Array.from(times), values: Float64Array.from(values), pause: longest };
}

/** How long a number of such a usual interval is held. */
function pauseOf(interval: number | null | undefined): number {
  return interval !== null && interval !== undefined && interval > 0 ? interval * PAUSE_FACTOR : Infinity;
}

/** `a` − `b`, at every instant of the two at which both are held. */
export function differenceOf(a: Held, b: Held): Difference {
  const found = { times: [] as number[], values: [] as number[], starts: [] as number[] };
  let [i, j] = [-1, -1];
  let isBroken = true;
  while (i + 1 < a.times.length || j + 1 < b.times.length) {
    const time = Math.min(a.times[i + 1] ?? Infinity, b.times[j + 1] ?? Infinity);
    const [before, other] = [a.times[i] ?? time, b.times[j] ?? time];
    // Of several numbers at one instant the last one is held.
    while (a.times[i + 1] === time) i++;
    while (b.times[j + 1] === time) j++;
    if (time - before > a.pause || time - other > b.pause) isBroken = true;
    const isHeld =
      i >= 0 && j >= 0 && time - (a.times[i] ?? 0) <= a.pause && time - (b.times[j] ?? 0) <= b.pause;
    if (!isHeld) continue;
    if (isBroken) found.starts.push(found.times.length);
    isBroken = false;
    found.times.push(time);
    found.values.push(exactly(a.values[i] ?? 0, b.values[j] ?? 0));
  }
  return found;
}

/** Digits that doubles have in common with the numbers that people wrote. */
const DIGITS = 14;

/** `a` − `b` without what only binary fractions made of it: 25.3 − 25 is 0.3, not 0.3000000000000007. */
function exactly(a: number, b: number): number {
  const largest = Math.max(Math.abs(a), Math.abs(b));
  if (largest === 0) return 0;
  const digits = DIGITS - Math.ceil(Math.log10(largest));
  // `toFixed` takes no others, and goes over to powers of ten for what is huge.
  return digits >= 0 && digits <= 100 && largest < 1e20 ? Number((a - b).toFixed(digits)) : a - b;
}

/** As it is painted in a window of `width` pixels: of more points than that first, extremes and last of each pixel. */
export function lineOfDifference(
  { times, values, starts }: Difference,
  window: TimeSpan,
  width: number,
): Line {
  const line = {
    times: [] as number[],
    values: [] as number[],
    starts: [] as number[],
    dots: [] as number[],
  };
  let [min, max] = [Infinity, -Infinity];
  const span = window.to - window.from + 1;
  const columnOf = (index: number) => Math.floor((((times[index] ?? 0) - window.from) * width) / span);
  for (const [run, start] of starts.entries()) {
    const end = starts[run + 1] ?? times.length;
    const builder = new LineBuilder(window, width, null);
    for (let first = start; first < end;) {
      let last = first;
      while (last + 1 < end && columnOf(last + 1) === columnOf(first)) last++;
      for (const index of extremesOf(values, first, last))
        builder.point(times[index] ?? 0, values[index] ?? 0);
      first = last + 1;
    }
    const drawn = builder.line();
    const shift = line.times.length;
    line.starts.push(shift);
    for (const dot of drawn.dots) line.dots.push(dot + shift);
    for (const [index, time] of drawn.times.entries()) {
      line.times.push(time);
      line.values.push(drawn.values[index] ?? 0);
    }
    min = Math.min(min, drawn.min);
    max = Math.max(max, drawn.max);
  }
  return { ...line, min, max };
}

/** The places of the first, the extreme and the last number, in order and each once. */
function extremesOf(values: readonly number[], first: number, last: number): readonly number[] {
  let [least, most] = [first, first];
  for (let index = first + 1; index <= last; index++) {
    if ((values[index] ?? 0) < (values[least] ?? 0)) least = index;
    if ((values[index] ?? 0) > (values[most] ?? 0)) most = index;
  }
  return [...new Set([first, Math.min(least, most), Math.max(least, most), last])];
}
