import type { Micros } from '#shared/values/time.ts';
import { lowerBound } from '#shared/values/lower-bound.ts';
import type { KeyReading, ReadingsQuery, TakeReadings } from '../../store.ts';
import type { BlockTable } from '../block/block-table.ts';
import type { KeyTable } from '../block/key-table.ts';
import { RowSlice } from '../block/row-slice.ts';
import { Run } from '../query/run.ts';
import type { SortedRows } from '../query/sorted-rows.ts';
import { readingsIn, readingsOfSlice, takeBlock, type Readings } from './block-readings.ts';
import { Silences } from './silences.ts';

/* Where the readings of a key come from: blocks of a run, or rows that are in no block yet. */

/** A block that is to be at hand next. */
export interface Needed {
  readonly run: Run;
  readonly index: number;
}

/** A source on the way through it. */
export interface Feed {
  /** Its place among the sources: of equal times what arrived earlier is smaller. */
  readonly order: number;
  readonly isOver: boolean;
  /** The times between which its next readings lie. */
  readonly first: Micros;
  readonly last: Micros;
  readonly needed: Needed | null;
  /** The next readings; they are needed first. */
  take(): Readings;
  /** Passes them over where the index tells enough of them. */
  skip(into: TakeReadings): boolean;
  /** Hands them on; they are needed first. */
  pass(into: TakeReadings): void;
}

/** A source that is read as it was stored. */
export interface StoredFeed extends Feed {
  /** The newest reading before the range. */
  held(): Generator<Needed | null, KeyReading | null>;
}

/** Null for a source without the key. */
export function feedOf(source: SortedRows, order: number, query: ReadingsQuery): StoredFeed | null {
  if (source.rows === 0) return null;
  if (!(source instanceof Run)) return new RowsFeed(source, order, query);
  const table = source.keyTable(query.key);
  return table === undefined ? null : new RunFeed(source, table, order, query);
}

export class RunFeed implements StoredFeed {
  readonly order: number;
  readonly #run: Run;
  readonly #table: BlockTable;
  readonly #keys: KeyTable;
  readonly #query: ReadingsQuery;
  readonly #silences: Silences;
  readonly #blockAt: (index: number) => ReturnType<Run['block']>;
  /** Entries of a run that grows are those that there were. */
  readonly #entries: number;
  #entry: number;

  constructor(run: Run, keys: KeyTable, order: number, query: ReadingsQuery) {
    this.order = order;
    this.#run = run;
    this.#table = run.table;
    this.#keys = keys;
    this.#query = query;
    this.#silences = Silences.of(keys);
    this.#blockAt = run.blocksInPassing();
    this.#entries = keys.entryFrom(this.#table.count);
    this.#entry = keys.entryFrom(this.#table.blockEnding(query.range.start, false));
    this.#toNumbers();
  }

  get isOver(): boolean {
    return this.#entry >= this.#entries;
  }

  get first(): Micros {
    return Math.max(this.#keys.firstTimeOf(this.#entry), this.#query.range.start);
  }

  get last(): Micros {
    return this.#keys.lastTimeOf(this.#entry);
  }

  get needed(): Needed {
    return { run: this.#run, index: this.#keys.blockOf(this.#entry) };
  }

  take(): Readings {
    const { start } = this.#query.range;
    const readings = this.#readingsOf(this.#entry);
    this.#next();
    const before = lowerBound(readings.times, 0, readings.count, start);
    if (before === 0) return readings;
    return {
      times: readings.times.subarray(before),
      values: readings.values.subarray(before),
      count: readings.count - before,
    };
  }

  skip(into: TakeReadings): boolean {
    const { range, pause } = this.#query;
    const [keys, entry] = [this.#keys, this.#entry];
    const first = keys.firstTimeOf(entry);
    if (first < range.start || !(this.#silences.at(entry) <= pause)) return false;
    if (!into.some(first, keys.lastTimeOf(entry), keys.minOf(entry), keys.maxOf(entry))) return false;
    this.#next();
    return true;
  }

  pass(into: TakeReadings): void {
    const entry = this.#entry;
    const block = this.#blockAt(this.#keys.blockOf(entry));
    const silence = takeBlock(block, block.column(this.#query.key), this.#query, into);
    if (!Number.isNaN(silence) && this.#run.isSettled) this.#silences.set(entry, silence, this.#entries);
    this.#next();
  }

  *held(): Generator<Needed | null, KeyReading | null> {
    const { start } = this.#query.range;
    const keys = this.#keys;
    for (let entry = Math.min(this.#entry, this.#entries - 1); entry >= 0; entry--) {
      if (keys.numericOf(entry) === 0 || keys.firstTimeOf(entry) >= start) continue;
      // Where somebody has looked there are numbers alone, and the index says which is the last.
      if (keys.lastTimeOf(entry) < start && this.#silences.at(entry) >= 0)
        return { instant: keys.lastTimeOf(entry), value: keys.lastOf(entry) };
      yield { run: this.#run, index: keys.blockOf(entry) };
      const { times, values, count } = this.#readingsOf(entry);
      const before = lowerBound(times, 0, count, start);
      if (before > 0) return { instant: times[before - 1]!, value: values[before - 1]! };
    }
    return null;
  }

  #readingsOf(entry: number): Readings {
    const block = this.#run.block(this.#keys.blockOf(entry));
    return readingsIn(block, block.column(this.#query.key));
  }

  #next(): void {
    this.#entry++;
    this.#toNumbers();
  }

  /** Past blocks that hold nothing but texts of the key. */
  #toNumbers(): void {
    const [keys, { start }] = [this.#keys, this.#query.range];
    while (!this.isOver && (keys.numericOf(this.#entry) === 0 || keys.lastTimeOf(this.#entry) < start))
      this.#entry++;
  }
}

/** Rows that are in no block: one reading at a time. */
class RowsFeed implements StoredFeed {
  readonly needed = null;
  readonly order: number;
  readonly #source: SortedRows;
  readonly #keys: ReadonlySet<string>;
  readonly #slice = new RowSlice();
  /** Rows of the source; more may come to it. */
  readonly #rows: number;
  readonly #begin: number;
  #row: number;
  #readings: Readings = { times: new Float64Array(0), values: new Float64Array(0), count: 0 };
  #at = 0;

  constructor(source: SortedRows, order: number, query: ReadingsQuery) {
    this.order = order;
    this.#source = source;
    this.#keys = new Set([query.key]);
    this.#rows = source.rows;
    this.#begin = source.rowsBefore(query.range.start, false);
    this.#row = this.#begin;
    this.#fill();
  }

  get isOver(): boolean {
    return this.#at >= this.#readings.count;
  }

  get first(): Micros {
    return this.#readings.times[this.#at]!;
  }

  get last(): Micros {
    return this.first;
  }

  take(): Readings {
    const { times, values } = this.#readings;
    const one = { times: times.slice(this.#at, this.#at + 1), values: values.slice(this.#at, this.#at + 1) };
    this.#next();
    return { ...one, count: 1 };
  }

  skip(into: TakeReadings): boolean {
    this.pass(into);
    return true;
  }

  pass(into: TakeReadings): void {
    into.one(this.first, this.#readings.values[this.#at]!);
    this.#next();
  }

  *held(): Generator<Needed | null, KeyReading | null> {
    for (let end = this.#begin; end > 0;) {
      yield null;
      const { from } = this.#source.stretch(end - 1);
      const { times, values, count } = this.#read(from, end);
      if (count > 0) return { instant: times[count - 1]!, value: values[count - 1]! };
      end = from;
    }
    return null;
  }

  #next(): void {
    if (++this.#at === this.#readings.count) this.#fill();
  }

  #fill(): void {
    this.#at = 0;
    this.#readings = { ...this.#readings, count: 0 };
    while (this.#readings.count === 0 && this.#row < this.#rows) {
      const to = Math.min(this.#rows, this.#source.stretch(this.#row).to);
      this.#readings = this.#read(this.#row, to);
      this.#row = to;
    }
  }

  #read(from: number, to: number): Readings {
    this.#source.readInto(this.#slice, from, to, { keys: this.#keys, received: false });
    return readingsOfSlice(this.#slice);
  }
}
