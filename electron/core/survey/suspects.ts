import type { Micros } from '#shared/values/time.ts';
import { NUMBER } from '../store/record-columns.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import { FirstPlaces, LongestPlaces, type Found } from './places.ts';
import type { Fold, Survey, SurveyMessage, SurveyQuery, SurveyStart } from './survey.ts';

/*
 * Values of one key that someone should look at, by the tests of QARTOD (IOOS Manual for Real-Time Quality Control): spike, flat
 * line, gross range, gap. Nothing is flagged by it.
 */

export interface SuspectsQuery extends SurveyQuery {
  /**
   * A number that differs from the median of itself and its neighbours by more than so many standard deviations of all such
   * differences, so that a spike does not make spikes of its neighbours; null: not looked for, as of the others.
   */
  readonly spikeSds: number | null;
  /** The same number for at least so long. */
  readonly stuck: Micros | null;
  /** Numbers below the first or above the second; null where that end is open. */
  readonly outside: readonly [low: number | null, high: number | null] | null;
  /** Longer without a number. */
  readonly gap: Micros | null;
  /** Places that are listed of each kind: the first, of gaps the longest. */
  readonly most: number;
}

/** Null where it was not looked for. */
export interface Suspects {
  readonly spike: Found | null;
  readonly stuck: Found | null;
  readonly outside: Found | null;
  readonly gap: Found | null;
}

export const SUSPECTS = {
  kind: { name: 'suspects' } as TaskKind<SurveyStart<SuspectsQuery>, never, SurveyMessage, Suspects>,
  held: false,
  begin: (query) => new SuspectsOfKey(query),
} satisfies Survey<SuspectsQuery, Suspects>;

class SuspectsOfKey implements Fold<Suspects> {
  readonly isOver = false;
  readonly #query: SuspectsQuery;
  readonly #outside: FirstPlaces;
  readonly #stuck: FirstPlaces;
  readonly #spike: FirstPlaces;
  readonly #gap: LongestPlaces;
  /** Of the differences: the first walk finds their standard deviation, the second the spikes. */
  readonly #differences = new Deviation();
  #threshold: number | null = null;
  #run: { readonly value: number; readonly start: Micros; end: Micros; records: number } | null = null;
  #two: readonly [Reading, Reading] | null = null;
  #last: Reading | null = null;

  constructor(query: SuspectsQuery) {
    this.#query = query;
    this.#outside = new FirstPlaces(query.most);
    this.#stuck = new FirstPlaces(query.most);
    this.#spike = new FirstPlaces(query.most);
    this.#gap = new LongestPlaces(query.most);
  }

  /** In the order of time; bound, as it is handed on. */
  readonly take = (_: number, time: Micros, kind: number, value: number): void => {
    if (kind !== NUMBER) return;
    if (this.#threshold === null) this.#first({ time, value });
    this.#neighbours({ time, value });
  };

  /** Once more where spikes are looked for, now that it is known what one is. */
  readonly again = (): boolean => {
    const { spikeSds } = this.#query;
    if (spikeSds === null || this.#threshold !== null) return false;
    this.#endRun();
    this.#outside.part();
    this.#threshold = spikeSds * this.#differences.sd;
    this.#two = null;
    this.#last = null;
    return true;
  };

  result(): Suspects {
    this.#endRun();
    const { spikeSds, stuck, outside, gap } = this.#query;
    return {
      spike: spikeSds === null ? null : this.#spike.end(),
      stuck: stuck === null ? null : this.#stuck.end(),
      outside: outside === null ? null : this.#outside.end(),
      gap: gap === null ? null : this.#gap.end(),
    };
  }

  #first({ time, value }: Reading): void {
    const { outside, gap } = this.#query;
    if (outside !== null) {
      const [low, high] = outside;
      if (value < (low ?? -Infinity) || value > (high ?? Infinity)) this.#outside.add(time);
      else this.#outside.part();
    }
    if (gap !== null && this.#last !== null && time - this.#last.time > gap)
      this.#gap.add(this.#last.time, time);
    if (this.#run?.value === value) {
      this.#run.end = time;
      this.#run.records++;
    } else {
      this.#endRun();
      this.#run = { value, start: time, end: time, records: 1 };
    }
  }

  /** A number has neighbours once the one behind it has come. */
  #neighbours(reading: Reading): void {
    if (this.#two !== null) {
      const [before, middle] = this.#two;
      const difference = middle.value - medianOf(before.value, middle.value, reading.value);
      if (this.#threshold === null) this.#differences.add(difference);
      else if (Math.abs(difference) > this.#threshold) this.#spike.add(middle.time);
      else this.#spike.part();
    }
    if (this.#last !== null) this.#two = [this.#last, reading];
    this.#last = reading;
  }

  #endRun(): void {
    const { stuck } = this.#query;
    const run = this.#run;
    this.#run = null;
    if (stuck === null || run === null || run.records < 2 || run.end - run.start < stuck) return;
    this.#stuck.addSpan({ start: run.start, end: run.end, records: run.records });
  }
}

const medianOf = (a: number, b: number, c: number) => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));

interface Reading {
  readonly time: Micros;
  readonly value: number;
}

/** Standard deviation of a sample by Welford's method; 0 of fewer than two. */
class Deviation {
  #count = 0;
  #mean = 0;
  #squares = 0;

  add(value: number): void {
    const delta = value - this.#mean;
    this.#mean += delta / ++this.#count;
    this.#squares += delta * (value - this.#mean);
  }

  get sd(): number {
    return this.#count < 2 ? 0 : Math.sqrt(Math.max(0, this.#squares) / (this.#count - 1));
  }
}
