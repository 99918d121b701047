import { columnStarts } from '#shared/values/pixel-columns.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { RecordStore, TakeReadings, Viewed } from '../store/store.ts';
import type { NormalRange } from './statistics.ts';
import { StateRuns, type StateRun } from './state-runs.ts';

/*
 * How long a key lay inside its normal range, outside of it, and was not measured (docs/local-api.md, "Excursions"). A reading
 * holds until the next one. Where that comes later than the longest pause, nobody knows what lay between the two.
 */

export interface ExcursionsQuery {
  readonly range: Required<TimeRange>;
  readonly key: string;
  readonly normal: NormalRange;
  /** How long a reading holds at most, in µs; null: until the next one. */
  readonly pause: Micros | null;
  /** Excursions and gaps that are listed. */
  readonly most: number;
  /** Columns of a picture, for `runs`; null for none. */
  readonly width: number | null;
}

/** Readings outside, one after the other, all at one end. Times in µs. */
export interface Excursion {
  readonly start: Micros;
  readonly end: Micros;
  /** The reading furthest outside, of equal ones the first, and when it was taken. */
  readonly worst: number;
  readonly at: Micros;
  readonly side: 'above' | 'below';
}

export interface Surveyed {
  /** µs; their sum is the span. */
  readonly inside: Micros;
  readonly outside: Micros;
  readonly notMeasured: Micros;
  /** The earliest ones; `count` counts all. */
  readonly excursions: Listed<Excursion>;
  readonly gaps: Listed<Required<TimeRange>>;
  /** Inside, above, below and not measured, one after the other, for the picture; empty without one. */
  readonly runs: readonly StateRun[];
}

interface Listed<T> {
  readonly count: number;
  readonly list: readonly T[];
}

/** Walks through the readings of a key. Rejects as the signal's reason, or as the store does. */
export async function surveyExcursions(
  records: Pick<RecordStore, 'readings'>,
  device: Viewed,
  query: ExcursionsQuery,
  signal?: AbortSignal,
): Promise<Surveyed> {
  const begin = () => new ExcursionsFold(query);
  const { key, range, pause } = query;
  const asked = { query: { key, range, pause: pause ?? Infinity }, begin, signal };
  const fold = await records.readings(device, asked);
  return fold.result();
}

type Side = 'inside' | 'above' | 'below';
const NOT_MEASURED = 'not_measured';

interface OpenExcursion {
  readonly start: Micros;
  readonly side: 'above' | 'below';
  worst: number;
  at: Micros;
  /** When its last reading was taken. */
  last: Micros;
}

class ExcursionsFold implements TakeReadings {
  readonly #start: Micros;
  readonly #end: Micros;
  readonly #low: number;
  readonly #high: number;
  readonly #pause: Micros;
  readonly #runs: StateRuns | null;
  readonly #excursions: SomeOf<Excursion>;
  readonly #gaps: SomeOf<Required<TimeRange>>;
  #inside: Micros = 0;
  #outside: Micros = 0;
  /** The last reading; NaN before the first. */
  #time: Micros = Number.NaN;
  #side: Side = 'inside';
  #open: OpenExcursion | null = null;
  #isOver = false;

  constructor({ range, normal, pause, most, width }: ExcursionsQuery) {
    this.#start = range.start;
    this.#end = range.end;
    this.#low = normal.low ?? -Infinity;
    this.#high = normal.high ?? Infinity;
    this.#pause = pause ?? Infinity;
    this.#excursions = new SomeOf(most);
    this.#gaps = new SomeOf(most);
    this.#runs =
      width === null ? null : new StateRuns(range, columnStarts(range.start, range.end, width), () => {});
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  one(time: Micros, value: number): void {
    const side = this.#sideOf(value);
    if (!this.#comes(time, side) || side === 'inside') return;
    // -0 + 0 is 0.
    const worst = value + 0;
    const open = this.#open;
    if (open === null) {
      this.#open = { start: Math.max(time, this.#start), side, worst, at: time, last: time };
      return;
    }
    open.last = time;
    if (side === 'above' ? worst <= open.worst : worst >= open.worst) return;
    open.worst = worst;
    open.at = time;
  }

  /** Readings inside; or outside, where they go on with an excursion and are no worse than it is. */
  some(first: Micros, last: Micros, least: number, greatest: number): boolean {
    const side = this.#sideOf(least);
    if (side !== this.#sideOf(greatest)) return false;
    if (side !== 'inside' && !this.#isNoWorse(first, side, least, greatest)) return false;
    if (!this.#comes(first, side)) return true;
    const held = this.#within(first, last);
    if (side === 'inside') this.#inside += held;
    else this.#outside += held;
    this.#runs?.add(first, side);
    if (this.#open !== null) this.#open.last = last;
    this.#time = last;
    this.#isOver = last > this.#end;
    return true;
  }

  #isNoWorse(first: Micros, side: Side, least: number, greatest: number): boolean {
    const open = this.#open;
    // A reading before the span belongs to no excursion that begins with the span.
    if (open === null || side !== this.#side || open.last < this.#start) return false;
    if (first - this.#time > this.#pause) return false;
    return side === 'above' ? greatest <= open.worst : least >= open.worst;
  }

  #sideOf(value: number): Side {
    return value > this.#high ? 'above' : value < this.#low ? 'below' : 'inside';
  }

  result(): Surveyed {
    if (this.#isOver) this.#close(Infinity);
    else this.#fallSilent(this.#end);
    return {
      inside: this.#inside,
      outside: this.#outside,
      notMeasured: this.#end - this.#start - this.#inside - this.#outside,
      excursions: this.#excursions.listed(),
      gaps: this.#gaps.listed(),
      runs: this.#runs?.end().runs ?? [],
    };
  }

  /** Passes to the next reading; returns whether it lies in the span, or before. */
  #comes(time: Micros, side: Side): boolean {
    if (this.#isOver) return false;
    const before = this.#time;
    if (time - before <= this.#pause) this.#hold(time);
    else this.#fallSilent(time);
    this.#isOver = time > this.#end;
    if (this.#isOver) return false;
    // What was held before the span holds in none of it where that begins with a reading.
    if (time === this.#start && before < time) this.#forget();
    if (side !== this.#side) this.#close(time);
    this.#side = side;
    this.#time = time;
    return true;
  }

  #forget(): void {
    this.#open = null;
    this.#side = 'inside';
  }

  /** The last reading holds until `time`. */
  #hold(time: Micros): void {
    const held = this.#within(this.#time, time);
    if (this.#side === 'inside') this.#inside += held;
    else this.#outside += held;
    this.#runs?.add(this.#time, this.#side);
  }

  /** Nothing is known of the time from the last reading to `time`. */
  #fallSilent(time: Micros): void {
    const isFirst = Number.isNaN(this.#time);
    const since = isFirst ? this.#start : this.#time;
    if (!isFirst) this.#runs?.add(since, this.#side);
    this.#close(since);
    this.#side = 'inside';
    const [start, end] = [Math.max(since, this.#start), Math.min(time, this.#end)];
    if (since < end) this.#runs?.add(since, NOT_MEASURED);
    if (start < end) this.#gaps.add({ start, end });
  }

  #close(time: Micros): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    const { start, worst, at, side, last } = open;
    // A reading before the span that does not hold into it.
    if (last < this.#start && time <= this.#start) return;
    this.#excursions.add({ start, end: Math.min(time, this.#end), worst, at, side });
  }

  /** µs of the span between the two. */
  #within(from: Micros, to: Micros): Micros {
    return Math.max(0, Math.min(to, this.#end) - Math.max(from, this.#start));
  }
}

/** The first ones, and how many there are. */
class SomeOf<T> {
  readonly #most: number;
  readonly #list: T[] = [];
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(one: T): void {
    if (++this.#count <= this.#most) this.#list.push(one);
  }

  listed(): Listed<T> {
    return { count: this.#count, list: this.#list };
  }
}
