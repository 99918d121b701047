import type { TimeSpan } from '../time/window.ts';

/*
 * A key's line as it is painted: vertices in runs. Between two runs lies a silence that nothing is drawn across. What
 * breaks a line is the same wherever its points come from (records, columns of pixels), so that all of them give one picture.
 */

/** A silence of more than so many of a key's own usual intervals breaks its line: nothing is known of what lay in between. */
export const PAUSE_FACTOR = 10;
/** Pixels that a dot is wide. A run that is narrower is painted as dots too, or nobody would see it. */
export const DOT = 5;
/** Opacity of a line behind another. */
export const PALE = 0.4;
/** Pixels that a line has on average for each vertex before all of them are painted as dots. */
const ROOM_FOR_DOTS = 12;

export interface Line {
  /** Instants of the vertices in µs, ascending, and their values. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** The vertex at which each run begins. */
  readonly starts: readonly number[];
  /** The vertices that are painted as dots. */
  readonly dots: readonly number[];
  /** Of what is seen of the line; min > max where nothing is. */
  readonly min: number;
  readonly max: number;
}

/** One line a key. */
export type Drawing = readonly Line[];

/** Whether nothing is painted in a window: it lies in a silence of every line, or beyond them all. */
export function isBlank(drawing: Drawing, { from, to }: TimeSpan): boolean {
  return drawing.every(({ times, starts }) =>
    starts.every((start, run) => {
      const end = (starts[run + 1] ?? times.length) - 1;
      return (times[start] ?? Infinity) > to || (times[end] ?? -Infinity) < from;
    }),
  );
}

/** What a column of pixels holds of a key; times in µs. */
export interface PixelColumn {
  readonly count: number;
  readonly first: number;
  readonly last: number;
  readonly min: number;
  readonly max: number;
  readonly firstTime: number;
  readonly lastTime: number;
}

/** Puts a line together from points and columns of pixels that come in the order of time. */
export class LineBuilder {
  readonly #window: TimeSpan;
  readonly #width: number;
  readonly #pixel: number;
  readonly #pause: number;
  readonly #times: number[] = [];
  readonly #values: number[] = [];
  readonly #starts: number[] = [];
  #latest = -Infinity;

  /** `width` in pixels; `interval` is the key's usual one in µs, null or NaN where it has none. */
  constructor(window: TimeSpan, width: number, interval: number | null | undefined) {
    this.#window = window;
    this.#width = width;
    this.#pixel = (window.to - window.from + 1) / width;
    this.#pause = pauseOf(interval, this.#pixel);
  }

  /** How long a silence breaks the line, in µs. */
  get pause(): number {
    return this.#pause;
  }

  point(time: number, value: number): void {
    this.#goTo(time);
    this.#push(time, value);
    this.#latest = time;
  }

  /** A line from the first through both extremes to the last covers the pixels that a line through all points would. */
  column({ count, first, last, min, max, firstTime, lastTime }: PixelColumn): void {
    this.#goTo(firstTime);
    this.#push(firstTime, first);
    if (count > 2 && min !== max) {
      const third = (lastTime - firstTime) / 3;
      this.#push(firstTime + third, min);
      this.#push(lastTime - third, max);
    }
    if (count > 1) this.#push(lastTime, last);
    this.#latest = lastTime;
  }

  line(): Line {
    const [times, values, starts] = [this.#times, this.#values, this.#starts];
    const ends = [...starts.slice(1), times.length];
    const narrow = DOT * this.#pixel;
    const isSparse = times.length * ROOM_FOR_DOTS <= this.#width;
    const dots = starts.flatMap((start, run) => {
      const end = ends[run] ?? start;
      if (isSparse) return range(start, end);
      return (times[end - 1] ?? 0) - (times[start] ?? 0) < narrow ? this.#extremesOf(start, end) : [];
    });
    return { times, values, starts, dots, ...this.#seen() };
  }

  #goTo(time: number): void {
    const isFirst = this.#times.length === 0;
    if (isFirst || time - this.#latest > this.#pause) this.#starts.push(this.#times.length);
  }

  #push(time: number, value: number): void {
    this.#times.push(time);
    this.#values.push(value);
  }

  #extremesOf(start: number, end: number): number[] {
    let [least, most] = [start, start];
    for (let i = start + 1; i < end; i++) {
      if ((this.#values[i] ?? 0) < (this.#values[least] ?? 0)) least = i;
      if ((this.#values[i] ?? 0) > (this.#values[most] ?? 0)) most = i;
    }
    return least === most ? [least] : [least, most];
  }

  /** The span of the values inside the window; where a line only passes through it, of those it comes from and leads to. */
  #seen(): { min: number; max: number } {
    const { from, to } = this.#window;
    const inside = this.#spanOf(from, to);
    return inside.min <= inside.max || this.#starts.length > 1 ? inside : this.#spanOf(-Infinity, Infinity);
  }

  #spanOf(from: number, to: number): { min: number; max: number } {
    let [min, max] = [Infinity, -Infinity];
    for (let i = 0; i < this.#values.length; i++) {
      const time = this.#times[i] ?? 0;
      const value = this.#values[i] ?? 0;
      if (time < from || time > to) continue;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    return { min, max };
  }
}

/** No silence breaks a line that is narrower than a pixel: nobody could see it, and columns of pixels cannot tell. */
function pauseOf(interval: number | null | undefined, pixel: number): number {
  const isKnown = interval !== null && interval !== undefined && interval > 0;
  return isKnown ? Math.max(PAUSE_FACTOR * interval, pixel) : Infinity;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
