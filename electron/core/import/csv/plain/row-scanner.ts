import { ABSENT, NUMBER, RecordColumns } from '../../../store/record-columns.ts';
import type { CellColumn } from '../../../store/store.ts';
import { MAX_KEYS } from '../../../ingest/record.ts';
import type { CsvLayout } from '../csv-layout.ts';
import type { RowCounter, RowReader } from '../read-csv.ts';
import { readPlainNumber, readShortNumber } from './number.ts';
import { BLANK, cellEnd, CR, LF, ODD, QUOTE } from './place.ts';
import { NONE, PlainColumn } from './plain-column.ts';
import { PlainTimeColumns } from './plain-times.ts';

/** What a column of the file is read as that holds no values. */
const SKIP = 0;
const TIME = 1;
const CLOCK = 2;
const COUNTER = 3;

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
  /** By the place of a column in the file; null for one that holds no values. */
  readonly #valueAt: readonly (PlainColumn | null)[];
  readonly #cellsAt: readonly (CellColumn | null)[];
  /** By the same place, `PlainColumn.bare`; NONE for one that holds no values. */
  readonly #bareAt: Int16Array;
  readonly #times: PlainTimeColumns | null;
  readonly #counter: RowCounter | null;
  readonly #delimiter: number;
  /** How rows begin that may repeat what stands above the data: they are read with care. */
  readonly #heads: readonly Buffer[];
  /** The number of the row that is read, where they are counted. */
  readonly #count = new Float64Array(1);
  #isAscii = true;

  constructor(layout: CsvLayout, { fields, times, counter }: RowReader, rows: RecordColumns) {
    const delimiter = layout.shape.delimiter.charCodeAt(0);
    this.#rows = rows;
    this.#delimiter = delimiter;
    this.#counter = counter;
    this.#times = times?.plain ? new PlainTimeColumns(times.plain, delimiter) : null;
    this.#values = fields.map(
      ({ reader }, i) => new PlainColumn(reader, rows.columns[i]!, layout.context, delimiter),
    );
    this.#heads = layout.head.flatMap(({ cells }) => {
      const [cell] = cells;
      return cell ? [Buffer.from(`${cell.quoted ? '"' : ''}${cell.text}`)] : [];
    });
    this.#roles = Uint8Array.from({ length: layout.width }, (_, index) => this.#roleOf(index));
    const fieldAt = Array.from({ length: layout.width }, (_, index) =>
      fields.findIndex((field) => field.index === index),
    );
    this.#valueAt = fieldAt.map((field) => this.#values[field] ?? null);
    this.#cellsAt = fieldAt.map((field) => rows.columns[field] ?? null);
    this.#bareAt = new Int16Array(layout.width);
  }

  #roleOf(index: number): number {
    if (index === this.#times?.index) return TIME;
    if (index === this.#times?.clock) return CLOCK;
    return index === 0 && this.#counter !== null ? COUNTER : SKIP;
  }

  /**
   * Reads rows of whole lines from `from` on, until the bytes end, the columns are full, or a row is odd; returns where it
   * stopped. `isAscii` says whether all bytes are below 128; they are UTF-8 in any case.
   */
  scan(bytes: Buffer, from: number, isAscii: boolean): number {
    const first = this.#rows.size;
    this.#isAscii = isAscii;
    this.lines = this.carriageReturns = 0;
    for (const value of this.#values) value.refresh();
    for (const [column, value] of this.#valueAt.entries()) this.#bareAt[column] = value?.bare ?? NONE;
    this.#times?.refresh();
    let at = from;
    while (at < bytes.length && !this.#rows.isFull) {
      const next = this.#row(bytes, at);
      if (next === ODD) break;
      at = next;
      this.lines++;
    }
    for (const value of this.#values) value.settle(first, this.#rows.size);
    return at;
  }

  /** Reads a line; returns where the next one begins, or ODD. */
  #row(bytes: Buffer, from: number): number {
    for (const head of this.#heads) if (bytes[from] === head[0] && beginsWith(bytes, from, head)) return ODD;
    if (isLineEnd(bytes, from)) return this.#lineEnd(bytes, from);
    const last = this.#roles.length - 1;
    let at = from;
    for (let column = 0; ; column++) {
      while (bytes[at] === BLANK) at++;
      const bare = this.#bareAt[column]!;
      const end = bare === NONE ? ODD : this.#short(bytes, at, column, bare);
      at = end === ODD ? this.#cell(bytes, at, column) : end;
      if (at === ODD) return ODD;
      while (bytes[at] === BLANK) at++;
      if (column === last) break;
      if (bytes[at++] !== this.#delimiter) return ODD;
    }
    return isLineEnd(bytes, at) && this.#take() ? this.#lineEnd(bytes, at) : ODD;
  }

  /** Reads a cell of a column of numbers where it is an ordinary one; returns where it ends, or ODD. */
  #short(bytes: Buffer, from: number, column: number, mark: number): number {
    const { kinds, numbers } = this.#cellsAt[column]!;
    const row = this.#rows.size;
    kinds[row] = NUMBER;
    return readShortNumber(bytes, from, mark, this.#delimiter, numbers, row);
  }

  #cell(bytes: Buffer, from: number, column: number): number {
    const value = this.#valueAt[column];
    return value ? value.read(bytes, from, this.#rows.size, this.#isAscii) : this.#other(bytes, from, column);
  }

  #lineEnd(bytes: Buffer, at: number): number {
    if (bytes[at] === LF) return at + 1;
    this.carriageReturns++;
    return at + 2;
  }

  /** Reads a cell that is no value; returns where it ends, or ODD. */
  #other(bytes: Buffer, at: number, column: number): number {
    switch (this.#roles[column]) {
      case TIME:
        return this.#times!.read(bytes, at);
      case CLOCK:
        return this.#times!.readClock(bytes, at);
      case COUNTER:
        return this.#readCount(bytes, at);
      default:
        return skip(bytes, at, this.#delimiter);
    }
  }

  /** Reads a number that is one more than that of the row before. */
  #readCount(bytes: Buffer, from: number): number {
    const quoted = bytes[from] === QUOTE;
    const { last } = this.#counter!;
    const end = readPlainNumber(bytes, quoted ? from + 1 : from, 0, false, this.#count, 0);
    // The first is one that all others are compared with, and is looked at with care; 0 has no sign.
    if (last === null || this.#count[0] !== last + 1 || last < 0) return ODD;
    return cellEnd(bytes, end, quoted);
  }

  /** Adds the row whose cells were read; says no where it is odd as a whole. */
  #take(): boolean {
    const rows = this.#rows;
    const { columns, size: row } = rows;
    // Of few columns one that holds something is enough, and is most often the first.
    const enough = columns.length <= MAX_KEYS ? 1 : MAX_KEYS + 1;
    let some = 0;
    for (let column = 0; column < columns.length && some < enough; column++)
      if (columns[column]!.kinds[row] !== ABSENT) some++;
    if (some === 0 || some > MAX_KEYS) return false;
    if (this.#times === null) rows.times[row] = rows.received;
    else if (!this.#times.take(rows.times, row)) return false;
    rows.size = row + 1;
    if (this.#counter !== null) this.#counter.last = this.#count[0]!;
    return true;
  }
}

function isLineEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF);
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
