import { columnStarts } from '#shared/values/pixel-columns.ts';
import { oddityOf } from '#shared/domain/time-findings.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import { FirstPlaces, LongestPlaces, type Found } from './places.ts';
import type { Fold, Survey, SurveyMessage, SurveyQuery, SurveyStart } from './survey.ts';

export interface TimesQuery extends SurveyQuery {
  /** No cell is looked at. */
  readonly keys: readonly [];
  /** Range of the skew, in `width` columns. */
  readonly shown: Required<TimeRange>;
  readonly width: number;
  readonly now: Micros;
  /** A longer silence is a gap; null: none is. */
  readonly pause: Micros | null;
  /** Places that are told of each kind. */
  readonly most: number;
}

/** The records' own times against those of their receipt. */
export interface Surveyed {
  readonly records: number;
  /** Receipt after the own time, µs, of each column; NaN where nothing is. Odd times are left out. */
  readonly skew: { readonly counts: Uint32Array; readonly min: Float64Array; readonly max: Float64Array };
  readonly epoch: Found;
  readonly year_2036: Found;
  readonly future: Found;
  readonly gap: Found;
  /** Records at an instant that has more than one; `records` counts all but the first of each. */
  readonly equal_times: Found;
  /** The first and the last instant of those; null without. */
  readonly equal: Required<TimeRange> | null;
  /** Records that were received after one that stands behind them. */
  readonly late: Found;
}

export const TIMES = {
  kind: { name: 'times' } as TaskKind<SurveyStart<TimesQuery>, never, SurveyMessage, Surveyed>,
  held: false,
  rows: true,
  begin: (query) => new TimesFold(query),
} satisfies Survey<TimesQuery, Surveyed>;

/** Rows that are looked at together. */
const CHUNK = 4_096;

/**
 * Whether a record came late shows only in those behind it: a first walk notes the earliest receipt of each chunk of rows,
 * and the second one knows from them what is still to come.
 */
class TimesFold implements Fold<Surveyed> {
  readonly isOver = false;
  readonly #query: TimesQuery;
  readonly #starts: Float64Array;
  readonly #skew: Surveyed['skew'];
  readonly #found: Readonly<Record<'epoch' | 'year_2036' | 'future' | 'equal_times' | 'late', FirstPlaces>>;
  readonly #gaps: LongestPlaces;
  #isSecond = false;
  /** Of each chunk the earliest receipt; in the second walk the earliest of all behind it. */
  #earliest: number[] = [];
  #rows = 0;
  readonly #times = new Float64Array(CHUNK);
  readonly #received = new Float64Array(CHUNK);
  #size = 0;
  #chunk = 0;
  #column = 0;
  #last: Micros = Number.NaN;
  /** The same of those whose time may be right. */
  #lastRight: Micros = Number.NaN;
  /** Records at the last instant so far. */
  #same = 0;
  #equal: { start: Micros; end: Micros } | null = null;

  constructor(query: TimesQuery) {
    const { shown, width, most } = query;
    this.#query = query;
    this.#starts = columnStarts(shown.start, shown.end, width);
    const none = () => new Float64Array(width).fill(Number.NaN);
    this.#skew = { counts: new Uint32Array(width), min: none(), max: none() };
    const places = () => new FirstPlaces(most);
    this.#found = {
      epoch: places(),
      year_2036: places(),
      future: places(),
      equal_times: places(),
      late: places(),
    };
    this.#gaps = new LongestPlaces(most);
  }

  readonly take: Fold<Surveyed>['take'] = (_place, time, _kind, received) => {
    if (!this.#isSecond) {
      const chunk = Math.floor(this.#rows++ / CHUNK);
      this.#earliest[chunk] = Math.min(this.#earliest[chunk] ?? Infinity, received);
      return;
    }
    this.#times[this.#size] = time;
    this.#received[this.#size++] = received;
    if (this.#size === CHUNK) this.#look();
  };

  again(): boolean {
    if (this.#isSecond) return false;
    this.#isSecond = true;
    this.#rows = 0;
    let behind = Infinity;
    for (let chunk = this.#earliest.length - 1; chunk >= 0; chunk--) {
      const earliest = this.#earliest[chunk]!;
      this.#earliest[chunk] = behind;
      behind = Math.min(behind, earliest);
    }
    return true;
  }

  result(): Surveyed {
    this.#look();
    this.#endInstant();
    const { epoch, year_2036, future, equal_times, late } = this.#found;
    return {
      records: this.#rows,
      skew: this.#skew,
      epoch: epoch.end(),
      year_2036: year_2036.end(),
      future: future.end(),
      gap: this.#gaps.end(),
      equal_times: equal_times.end(),
      equal: this.#equal,
      late: late.end(),
    };
  }

  /** The rows of a chunk, once all of them are there. */
  #look(): void {
    const late = new Uint8Array(this.#size);
    let behind = this.#earliest[this.#chunk++] ?? Infinity;
    for (let row = this.#size - 1; row >= 0; row--) {
      const received = this.#received[row]!;
      if (received > behind) late[row] = 1;
      else behind = received;
    }
    for (let row = 0; row < this.#size; row++)
      this.#row(this.#times[row]!, this.#received[row]!, late[row] === 1);
    this.#rows += this.#size;
    this.#size = 0;
  }

  #row(time: Micros, received: Micros, isLate: boolean): void {
    const odd = oddityOf(time, this.#query.now);
    for (const kind of ['epoch', 'year_2036', 'future'] as const)
      if (kind === odd) this.#found[kind].add(time);
      else this.#found[kind].part();
    if (isLate) this.#found.late.add(time);
    else this.#found.late.part();
    if (odd === null) this.#noteSkew(time, received - time);
    if (time === this.#last) {
      this.#same++;
      return;
    }
    this.#endInstant();
    this.#last = time;
    this.#same = 1;
    // The years between a clock that was not set and one that was are no silence.
    if (odd !== null) return;
    const { pause } = this.#query;
    if (pause !== null && time - this.#lastRight > pause) this.#gaps.add(this.#lastRight, time);
    this.#lastRight = time;
  }

  #endInstant(): void {
    if (this.#same > 1) {
      this.#found.equal_times.addAt(this.#last, this.#same, this.#same - 1);
      if (this.#equal) this.#equal.end = this.#last;
      else this.#equal = { start: this.#last, end: this.#last };
    }
    this.#same = 0;
  }

  #noteSkew(time: Micros, skew: Micros): void {
    const { start, end } = this.#query.shown;
    if (time < start || time > end) return;
    while (time >= (this.#starts[this.#column + 1] ?? Infinity)) this.#column++;
    const { counts, min, max } = this.#skew;
    const at = this.#column;
    min[at] = counts[at] === 0 ? skew : Math.min(min[at]!, skew);
    max[at] = counts[at] === 0 ? skew : Math.max(max[at]!, skew);
    counts[at] = counts[at]! + 1;
  }
}
