import { RecordColumns } from '../../../store/record-columns.ts';
import { MAX_KEYS } from '../../../ingest/record.ts';
import type { CsvLayout } from '../csv-layout.ts';
import type { RowCounter, RowReader } from '../read-csv.ts';
import { readPlainNumber } from './number.ts';
import { BLANK, CR, LF, place, QUOTE } from './place.ts';
import { ODD, PlainColumn } from './plain-column.ts';
import { PlainTimeColumns } from './plain-times.ts';

/** What a column of the file is read as. */
const SKIP = 0;
const VALUE = 1;
const TIME = 2;
const CLOCK = 3;
const COUNTER = 4;

/**
 * Reads ordinary rows from bytes into columns: as many fields as the first rows have, each an ordinary number, word, time
 * or text, quotes at most around it. It stops at the first row that is not so, and leaves it as if it had not been seen.
 */
export class RowScanner {
  /** Lines of the last scan, and how many of them end in CRLF. */
  lines = 0;
  carriageReturns = 0;
  readonly #rows: RecordColumns;
  readonly #roles: Uint8Array;
  readonly #values: readonly PlainColumn[];
  /** By the place of a column in the file; of others than values, the first one. */
  readonly #valueAt: readonly PlainColumn[];
  readonly #times: PlainTimeColumns | null;
  readonly #counter: RowCounter | null;
  readonly #delimiter: number;
  /** How rows begin that may repeat what stands above the data: they are read with care. */
  readonly #heads: readonly Buffer[];
  #isAscii = true;
  #number = 0;

  constructor(layout: CsvLayout, { fields, times, counter }: RowReader, rows: RecordColumns) {
    const delimiter = layout.shape.delimiter.charCodeAt(0);
    this.#rows = rows;
    this.#delimiter = delimiter;
    this.#counter = counter;
    this.#times = times?.plain ? new PlainTimeColumns(times.plain, delimiter) : null;
    this.#values = fields.map(
      ({ reader }, i) => new PlainColumn(reader, rows.columns[i]!, layout.context, delimiter),
    );
    const first = this.#values[0]!;
    this.#heads = layout.head.flatMap(({ cells }) => {
      const [cell] = cells;
      return cell ? [Buffer.from(`${cell.quoted ? '"' : ''}${cell.text}`)] : [];
    });
    this.#roles = Uint8Array.from({ length: layout.width }, (_, index) => this.#roleOf(index, fields));
    this.#valueAt = Array.from(
      { length: layout.width },
      (_, index) => this.#values[fields.findIndex((field) => field.index === index)] ?? first,
    );
  }

  #roleOf(index: number, fields: RowReader['fields']): number {
    if (index === this.#times?.index) return TIME;
    if (index === this.#times?.clock) return CLOCK;
    if (fields.some((field) => field.index === index)) return VALUE;
    return index === 0 && this.#counter !== null ? COUNTER : SKIP;
  }

  /**
   * Reads rows of whole lines from `from` on, until the bytes end, the columns are full, or a row is odd; returns where it
   * stopped. `isAscii` says whether all bytes are below 128; they are UTF-8 in any case.
   */
  scan(bytes: Buffer, from: number, isAscii: boolean): number {
    this.#isAscii = isAscii;
    this.lines = this.carriageReturns = 0;
    for (const value of this.#values) value.refresh();
    let at = from;
    while (at < bytes.length && !this.#rows.isFull) {
      const next = this.#row(bytes, at);
      if (next === ODD) break;
      at = next;
      this.lines++;
    }
    for (const value of this.#values) value.settle();
    return at;
  }

  /** Reads a line; returns where the next one begins, or ODD. */
  #row(bytes: Buffer, from: number): number {
    const width = this.#roles.length;
    let at = from;
    for (const head of this.#heads) if (bytes[from] === head[0] && beginsWith(bytes, from, head)) return ODD;
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF)) return this.#lineEnd(bytes, at);
    for (let column = 0; column < width; column++) {
      if (column > 0) at++;
      while (bytes[at] === BLANK) at++;
      at = this.#cell(bytes, at, column);
      if (at === ODD) return ODD;
      while (bytes[at] === BLANK) at++;
      if (column < width - 1 && bytes[at] !== this.#delimiter) return ODD;
    }
    if (bytes[at] !== LF && (bytes[at] !== CR || bytes[at + 1] !== LF)) return ODD;
    if (!this.#take()) return ODD;
    return this.#lineEnd(bytes, at);
  }

  #lineEnd(bytes: Buffer, at: number): number {
    if (bytes[at] === LF) return at + 1;
    this.carriageReturns++;
    return at + 2;
  }

  #cell(bytes: Buffer, at: number, column: number): number {
    switch (this.#roles[column]) {
      case VALUE:
        return this.#valueAt[column]!.read(bytes, at, this.#rows.size, this.#isAscii);
      case TIME:
        return this.#times!.read(bytes, at);
      case CLOCK:
        return this.#times!.readClock(bytes, at);
      case COUNTER:
        return this.#count(bytes, at);
      default:
        return skip(bytes, at, this.#delimiter);
    }
  }

  /** Reads a number that is one more than that of the row before. */
  #count(bytes: Buffer, from: number): number {
    const quoted = bytes[from] === QUOTE;
    this.#number = readPlainNumber(bytes, quoted ? from + 1 : from, 0, false);
    // The first is one that all others are compared with, and is looked at with care; 0 has no sign.
    if (this.#counter!.last === null || this.#number !== this.#counter!.last + 1 || this.#number < 1)
      return ODD;
    if (!quoted) return place.end;
    return bytes[place.end] === QUOTE ? place.end + 1 : ODD;
  }

  /** Adds the row whose cells were read; says no, and leaves no trace of it, where it is odd as a whole. */
  #take(): boolean {
    const rows = this.#rows;
    const row = rows.size;
    let some = 0;
    for (const value of this.#values) if (value.count(row)) some++;
    if (some > 0 && some <= MAX_KEYS) {
      const time = this.#times === null ? rows.received : this.#times.take();
      if (time === time) {
        rows.times[row] = time;
        rows.size = row + 1;
        if (this.#counter !== null) this.#counter.last = this.#number;
        return true;
      }
    }
    for (const value of this.#values) value.uncount(row);
    return false;
  }
}

function beginsWith(bytes: Buffer, from: number, head: Buffer): boolean {
  return bytes.subarray(from, from + head.length).equals(head);
}

/** Passes over a field; returns where it ends, or ODD where its quotes are not those around it. */
function skip(bytes: Buffer, from: number, delimiter: number): number {
  let at = from;
  if (bytes[at] === QUOTE) {
    for (let byte = bytes[++at]!; byte !== QUOTE; byte = bytes[++at]!)
      if (byte === LF || byte === CR) return ODD;
    return at + 1;
  }
  for (let byte = bytes[at]!; byte !== delimiter && byte !== LF && byte !== CR; byte = bytes[++at]!)
    if (byte === QUOTE) return ODD;
  return at;
}
