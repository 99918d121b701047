import type { Micros } from '#shared/values/time.ts';
import type { Projection } from '../block/block.ts';
import type { RowSlice } from '../block/row-slice.ts';
import type { SortedRows, StoredPlace } from '../query/sorted-rows.ts';
import type { CellRules } from './cell-rules.ts';
import { firstStored, type ClockMap } from './clock-map.ts';

/** A stretch of stored time; both ends inclusive. */
export interface StoredSpan {
  readonly from: Micros;
  readonly to: Micros;
}

/** Rows of a source within a span of stored time, read through a correction of the clock and rules for their cells. */
export class CorrectedRows implements SortedRows {
  readonly inner: SortedRows;
  readonly span: StoredSpan;
  readonly clock: ClockMap | null;
  readonly rules: CellRules;
  /** Its rows of the source are [before, before + size). */
  readonly before: number;
  readonly #size: number;
  readonly #innerRows: number;

  constructor(inner: SortedRows, span: StoredSpan, clock: ClockMap | null, rules: CellRules) {
    this.inner = inner;
    this.span = span;
    this.clock = clock;
    this.rules = rules;
    this.before = span.from <= inner.first ? 0 : inner.rowsBefore(span.from, false);
    const end = span.to >= inner.last ? inner.rows : inner.rowsBefore(span.to, true);
    this.#size = end - this.before;
    this.#innerRows = inner.rows;
  }

  /** Whether it has every row of its source. */
  get isWhole(): boolean {
    return this.#size === this.#innerRows;
  }

  /** None where the source has lost rows since: who counted on them has to begin anew (rows-gone.ts). */
  get rows(): number {
    return this.inner.rows === this.#innerRows ? this.#size : 0;
  }

  get first(): Micros {
    return this.timeAt(0);
  }

  get last(): Micros {
    return this.timeAt(this.#size - 1);
  }

  correctedTime(stored: Micros): Micros {
    return this.clock === null ? stored : this.clock.of(stored);
  }

  timeAt(row: number): Micros {
    return this.correctedTime(this.inner.timeAt(this.before + row));
  }

  rowsBefore(time: Micros, inclusive: boolean): number {
    const { clock, inner, before } = this;
    const rows =
      clock === null
        ? inner.rowsBefore(time, inclusive)
        : inner.rowsBefore(firstStored(clock, inclusive ? time + 1 : time, this.#times()), false);
    return Math.min(Math.max(rows - before, 0), this.#size);
  }

  stretch(row: number): { from: number; to: number } {
    const { from, to } = this.inner.stretch(this.before + row);
    return { from: Math.max(0, from - this.before), to: Math.min(this.#size, to - this.before) };
  }

  readInto(slice: RowSlice, from: number, to: number, projection: Projection): void {
    this.inner.readInto(slice, this.before + from, this.before + to, projection);
    this.rules.apply(slice);
    if (this.clock !== null)
      for (let row = 0; row < slice.size; row++) slice.times[row] = this.clock.of(slice.times[row]!);
  }

  storedAt(row: number): readonly StoredPlace[] {
    const { inner } = this;
    return inner.storedAt?.(this.before + row) ?? [{ source: inner, row: this.before + row }];
  }

  /** The stored times whose corrected ones lie in [start, end], within the span. */
  storedWithin(start: Micros, end: Micros): StoredSpan {
    const { from, to } = this.#times();
    if (this.clock === null) return { from: Math.max(from, start), to: Math.min(to, end) };
    return {
      from: firstStored(this.clock, start, { from, to }),
      to: firstStored(this.clock, end + 1, { from, to }) - 1,
    };
  }

  /** The same rows in parts that begin at these corrected times, which rise. */
  partedAt(times: readonly Micros[]): CorrectedRows[] {
    const { inner, clock, rules, first, last } = this;
    const parts: CorrectedRows[] = [];
    let { from } = this.span;
    for (const time of new Set(times)) {
      if (time <= first || time > last) continue;
      const next = clock === null ? time : firstStored(clock, time, this.#times());
      parts.push(new CorrectedRows(inner, { from, to: next - 1 }, clock, rules));
      from = next;
    }
    if (parts.length === 0) return [this];
    parts.push(new CorrectedRows(inner, { from, to: this.span.to }, clock, rules));
    return parts.filter(({ rows }) => rows > 0);
  }

  /** Its span as far as there are rows. */
  #times(): StoredSpan {
    const { inner, span } = this;
    return { from: Math.max(span.from, inner.first), to: Math.min(span.to, inner.last) };
  }
}
