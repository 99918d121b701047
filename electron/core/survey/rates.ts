import { Differences, type Rate } from '#shared/domain/rates.ts';
import { columnStarts } from '#shared/values/pixel-columns.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import { Accumulator } from '../store/blocks/series/accumulator.ts';
import { TEXT } from '../store/record-columns.ts';
import type { KeyReading, SeriesKey } from '../store/store.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import { roomOf } from './quantiles.ts';
import { NumbersOfKey, OPEN, type KeyStatistics } from './statistics.ts';
import type { Fold, Survey, SurveyMessage, SurveyQuery, SurveyStart } from './survey.ts';

/*
 * Differences per time of counters, as a picture and as figures. No index tells them: whether a counter fell between the first and
 * the last number of a column of pixels, and how often, only its numbers say, one after the other.
 */

export interface RatesQuery extends SurveyQuery {
  readonly range: Required<TimeRange>;
  readonly width: number;
  /** One a key. */
  readonly rates: readonly Rate[];
  /** The newest number of each key before the range, which the first difference in it is from; null for none. */
  readonly before: readonly (KeyReading | null)[];
  /** For each key how long a silence is no gap yet, in µs; null where none is known. */
  readonly pauses: readonly (Micros | null)[];
}

/** Differences of one key: what each column of pixels holds of them, at the numbers where they end, and what they come to. */
export interface KeyRates extends Omit<SeriesKey, 'key' | 'before' | 'after'> {
  /** How often the counter wrapped, and began anew. */
  readonly wraps: number;
  readonly resets: number;
  readonly statistics: KeyStatistics;
}

export const RATES = {
  kind: { name: 'rates' } as TaskKind<SurveyStart<RatesQuery>, never, SurveyMessage, readonly KeyRates[]>,
  held: false,
  begin(query) {
    const { range, keys, width, rates, before, pauses } = query;
    const starts = columnStarts(range.start, range.end, width);
    const room = roomOf(keys.length);
    const of = keys.map((key, place) => {
      const rate = rates[place];
      if (!rate) throw new RangeError(`No difference of "${key}" is asked for.`);
      const numbers = new NumbersOfKey(room, pauses[place] ?? Infinity, OPEN);
      return new RatesOfKey(starts, rate, before[place] ?? null, numbers);
    });
    return {
      isOver: false,
      take(place, time, kind, number) {
        if (kind !== TEXT) of[place]!.add(time, number);
      },
      result: () => of.map((one) => one.result()),
    } satisfies Fold<readonly KeyRates[]>;
  },
} satisfies Survey<RatesQuery, readonly KeyRates[]>;

class RatesOfKey {
  readonly #starts: Float64Array;
  readonly #differences: Differences;
  readonly #numbers: NumbersOfKey;
  readonly #columns: Accumulator;
  #column = 0;

  constructor(starts: Float64Array, rate: Rate, before: KeyReading | null, numbers: NumbersOfKey) {
    this.#starts = starts;
    this.#numbers = numbers;
    this.#differences = new Differences(rate);
    if (before !== null) this.#differences.next(before.instant, before.value);
    this.#columns = new Accumulator('', starts.length);
  }

  /** In the order of time. */
  add(time: Micros, number: number): void {
    const value = this.#differences.next(time, number);
    if (Number.isNaN(value)) return;
    this.#numbers.add(time, value, false);
    const starts = this.#starts;
    while (this.#column + 1 < starts.length && starts[this.#column + 1]! <= time) this.#column++;
    this.#columns.addPoint(this.#column, time, value);
  }

  result(): KeyRates {
    const { wraps, resets } = this.#differences;
    const { key: _, before: __, after: ___, ...columns } = this.#columns.result();
    return { ...columns, wraps, resets, statistics: this.#numbers.result() };
  }
}
