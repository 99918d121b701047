import type { Micros, TimeRange } from '#shared/values/time.ts';

/** Values told apart; a key with more is no state. */
const MOST_WORDS = 256;
/** Code units of a text that are handed on. */
export const MOST_OF_TEXT = 256;

/** Equal values that follow one another; a value lasts until another one comes. Times in µs. */
export interface StateRun {
  readonly from: Micros;
  /** When the next one came; with `to_known` false the end of the span. */
  readonly to: Micros;
  /** Null where several lie within one column of pixels. */
  readonly value: string | boolean | null;
  /** Changes inside: 0 where the value is told. */
  readonly changes: number;
  /** False: it held before the span began. */
  readonly from_known: boolean;
  /** False: it holds at the end of the span. */
  readonly to_known: boolean;
}

type Known = StateRun & { readonly column: number };

/** Puts the runs of one key together: at most two for each column of pixels, whatever comes. */
export class StateRuns {
  readonly #range: Required<TimeRange>;
  readonly #starts: Float64Array;
  readonly #made: () => void;
  readonly #runs: StateRun[] = [];
  readonly #words = new Set<string | boolean>();
  #column = 0;
  #lastTime: Micros | null = null;
  /** Present state, whole; and since when. */
  #value: string | boolean | null = null;
  #from: Micros = 0;
  #fromColumn = 0;
  /** Runs that began and ended in one column. */
  #short: Known | null = null;

  /** `starts` are the instants at which the columns begin; `made` is called with each run. */
  constructor(range: Required<TimeRange>, starts: Float64Array, made: () => void) {
    this.#range = range;
    this.#starts = starts;
    this.#made = made;
  }

  /** In the order of time, up to the end of the range; null is a number, which is no state. */
  add(time: Micros, value: string | boolean | null): void {
    // Of what held before the range only the newest counts.
    if (value !== null) this.#lastTime = time;
    else if (time < this.#range.start) this.#lastTime = null;
    if (value === this.#value) return;
    if (time > this.#range.start || this.#from >= this.#range.start) this.#close(time, true);
    this.#value = value;
    this.#from = time;
    this.#fromColumn = this.#columnOf(time);
  }

  end(): { readonly words: number; readonly lastTime: Micros | null; readonly runs: readonly StateRun[] } {
    this.#close(this.#range.end, false);
    this.#value = null;
    this.#flush();
    return { words: this.#words.size, lastTime: this.#lastTime, runs: this.#runs };
  }

  #close(to: Micros, to_known: boolean): void {
    if (this.#value === null) return;
    const { start } = this.#range;
    const value = short(this.#value);
    if (this.#words.size < MOST_WORDS) this.#words.add(value);
    const from = Math.max(this.#from, start);
    const run = { from, to, value, changes: 0, from_known: this.#from >= start, to_known };
    const column = this.#fromColumn;
    const before = this.#short?.column === column ? this.#short : null;
    if (column !== this.#columnOf(to)) {
      this.#flush();
      this.#push(run);
    } else if (before === null) {
      this.#flush();
      this.#short = { ...run, column };
    } else {
      this.#short = { ...before, to, to_known, value: null, changes: before.changes + 1 };
    }
  }

  #flush(): void {
    if (this.#short === null) return;
    const { column: _, ...run } = this.#short;
    this.#push(run);
    this.#short = null;
  }

  #push(run: StateRun): void {
    this.#runs.push(run);
    this.#made();
  }

  #columnOf(time: Micros): number {
    while (time >= (this.#starts[this.#column + 1] ?? Infinity)) this.#column++;
    return this.#column;
  }
}

/** A text of its own: a piece of a text would keep all of it in memory. */
function short(value: string | boolean): string | boolean {
  if (typeof value === 'boolean' || value.length <= MOST_OF_TEXT) return value;
  return Buffer.from(value.slice(0, MOST_OF_TEXT), 'utf16le').toString('utf16le');
}
