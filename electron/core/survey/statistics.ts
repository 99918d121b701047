import type { TaskKind } from '../threads/task-kind.ts';
import { BOOLEAN, TEXT } from '../store/record-columns.ts';
import type { Micros } from '#shared/values/time.ts';
import { Quantiles, roomOf } from './quantiles.ts';
import type { Fold, Survey, SurveyMessage, SurveyQuery, SurveyStart } from './survey.ts';

export interface StatisticsQuery extends SurveyQuery {
  /** For each key how long a silence is no gap yet, in µs; null where none is known. */
  readonly pauses: readonly (Micros | null)[];
  /** For each key its normal range, both ends included; null where it is open. */
  readonly normal: readonly NormalRange[];
}

export interface NormalRange {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Statistics of the numbers of one key; booleans count as 1 and 0. A figure that needs more numbers than there are is null.
 */
export interface KeyStatistics {
  readonly count: number;
  /** Texts, which nothing else here speaks of. */
  readonly texts: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** Of a sample: the divisor is count - 1. */
  readonly sd: number | null;
  readonly p5: number | null;
  readonly p95: number | null;
  /** How far the rank of a percentile may be off, as a part of count; 0 where they are exact. */
  readonly percentileError: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly firstTime: Micros | null;
  readonly lastTime: Micros | null;
  readonly gaps: number;
  /** Between two numbers that follow one another. */
  readonly longestSilence: Micros | null;
  /** Outside the normal range, booleans left out; null where that has no such end. */
  readonly below: number | null;
  readonly above: number | null;
}

export const STATISTICS = {
  kind: { name: 'statistics' } as TaskKind<
    SurveyStart<StatisticsQuery>,
    never,
    SurveyMessage,
    readonly KeyStatistics[]
  >,
  held: false,
  begin({ keys, pauses, normal }) {
    const room = roomOf(keys.length);
    const numbers = keys.map(
      (_, place) => new NumbersOfKey(room, pauses[place] ?? Infinity, normal[place] ?? OPEN),
    );
    return {
      isOver: false,
      take(place, time, kind, number) {
        if (kind === TEXT) numbers[place]!.texts++;
        else numbers[place]!.add(time, number, kind === BOOLEAN);
      },
      result: () => numbers.map((one) => one.result()),
    } satisfies Fold<readonly KeyStatistics[]>;
  },
} satisfies Survey<StatisticsQuery, readonly KeyStatistics[]>;

export const OPEN: NormalRange = { low: null, high: null };

/** Figures of the numbers of one key. */
export class NumbersOfKey {
  texts = 0;
  readonly #quantiles: Quantiles;
  readonly #pause: Micros;
  readonly #normal: NormalRange;
  readonly #low: number;
  readonly #high: number;
  #below = 0;
  #above = 0;
  #count = 0;
  #min = Infinity;
  #max = -Infinity;
  /** Welford's: what sums of squares lose to rounding, it keeps. */
  #mean = 0;
  #squares = 0;
  #first = 0;
  #last = 0;
  #firstTime: Micros = 0;
  #lastTime: Micros = 0;
  #gaps = 0;
  #longest: Micros = 0;

  constructor(room: number, pause: Micros, normal: NormalRange) {
    this.#quantiles = new Quantiles(room);
    this.#pause = pause;
    this.#normal = normal;
    this.#low = normal.low ?? -Infinity;
    this.#high = normal.high ?? Infinity;
  }

  /** In the order of time. */
  add(time: Micros, given: number, isBoolean: boolean): void {
    // -0 + 0 is 0.
    const value = given + 0;
    const count = ++this.#count;
    this.#quantiles.add(value);
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    if (!isBoolean) {
      if (value < this.#low) this.#below++;
      if (value > this.#high) this.#above++;
    }
    const delta = value - this.#mean;
    // The difference of two huge numbers may be beyond them all.
    if (Number.isFinite(delta)) this.#mean += delta / count;
    else this.#mean += value / count - this.#mean / count;
    this.#squares += delta * (value - this.#mean);
    if (count === 1) {
      this.#first = value;
      this.#firstTime = time;
    } else {
      const silence = time - this.#lastTime;
      if (silence > this.#pause) this.#gaps++;
      if (silence > this.#longest) this.#longest = silence;
    }
    this.#last = value;
    this.#lastTime = time;
  }

  result(): KeyStatistics {
    const count = this.#count;
    const some = <T>(value: T): T | null => (count > 0 ? value : null);
    const sd = Math.sqrt(Math.max(0, this.#squares) / (count - 1));
    const [p5 = Number.NaN, p95 = Number.NaN] = this.#quantiles.at([5, 95]);
    return {
      count,
      texts: this.texts,
      min: some(this.#min),
      max: some(this.#max),
      mean: some(this.#mean),
      sd: count > 1 && Number.isFinite(sd) ? sd : null,
      p5: some(p5),
      p95: some(p95),
      percentileError: this.#quantiles.error,
      first: some(this.#first),
      last: some(this.#last),
      firstTime: some(this.#firstTime),
      lastTime: some(this.#lastTime),
      gaps: this.#gaps,
      longestSilence: count > 1 ? this.#longest : null,
      below: this.#normal.low === null ? null : this.#below,
      above: this.#normal.high === null ? null : this.#above,
    };
  }
}
