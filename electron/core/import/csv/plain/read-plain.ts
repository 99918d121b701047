import { isAscii, isUtf8 } from 'node:buffer';
import { RecordColumns } from '../../../store/record-columns.ts';
import type { Columnar } from '../../../store/store.ts';
import type { Micros } from '#shared/values/time.ts';
import { release } from '../../body.ts';
import type { Outcome, RecordReader } from '../../outcome.ts';
import { createSplitter, type CsvFault, type CsvRow } from '../../text/csv.ts';
import { createDecoder } from '../../text/encoding.ts';
import type { CsvLayout } from '../csv-layout.ts';
import { createRowReader, type CsvSettings, type RowReader } from '../read-csv.ts';
import { LF } from './place.ts';
import { RowScanner } from './row-scanner.ts';
import { Pace } from '../../../turns/pace.ts';

/** Rows that go on at once: so many cells, in so many rows. */
const CELLS = 1 << 16;
const MOST_ROWS = 1 << 12;
const LEAST_ROWS = 16;

/** Bytes that are read with care where a row is odd: first few, then more while rows go on to be odd. */
const FIRST_CARE = 512;
const MOST_CARE = 16 * 1024;
/** A line of more bytes is read with care, and so is what follows it. */
const MOST_LINE = 1 << 20;

/** Whether lines end by LF, and each cell means one thing: whoever reads text takes care of the rest. */
function isPlain(layout: CsvLayout, reader: RowReader): boolean {
  const { shape, time } = layout;
  return (
    shape.lineEnd === '\n' &&
    reader.fields.length > 0 &&
    (reader.times === null || reader.times.plain !== null) &&
    !reader.fields.some(({ index }) => index === time?.index || index === time?.clock)
  );
}

/**
 * Reads a UTF-8 CSV from its bytes: ordinary rows at once, as columns, and what lies between them as `readCsvRecords` reads
 * all of it, with the same outcomes, notes and errors. Null where all of it has to be read as text.
 */
export function readPlain(
  pieces: AsyncIterable<Uint8Array>,
  layout: CsvLayout,
  settings: CsvSettings,
  received: Micros,
): RecordReader | null {
  const reader = createRowReader(layout, settings, received);
  if (!isPlain(layout, reader)) return null;
  return {
    outcomes: () => new PlainReading(layout, reader, received).outcomes(pieces),
    notes: () => reader.notes(),
  };
}

class PlainReading {
  readonly #reader: RowReader;
  readonly #rows: RecordColumns;
  readonly #scanner: RowScanner;
  readonly #split: ReturnType<typeof createSplitter>;
  readonly #decode = createDecoder('utf-8');
  readonly #pace = new Pace();
  /** Rows of names and units that are still to come. */
  #head: number;
  #room: Buffer = Buffer.alloc(0);
  #care = FIRST_CARE;
  /** Whether all that follows is read with care. */
  #careful = false;

  constructor(layout: CsvLayout, reader: RowReader, received: Micros) {
    const keys = reader.fields.map(({ key }) => key);
    const capacity = Math.max(LEAST_ROWS, Math.min(MOST_ROWS, Math.floor(CELLS / keys.length)));
    this.#reader = reader;
    this.#rows = new RecordColumns(keys, received, capacity);
    this.#scanner = new RowScanner(layout, reader, this.#rows);
    this.#split = createSplitter(layout.shape);
    this.#head = layout.headRows;
  }

  async *outcomes(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Outcome[] | Columnar> {
    let rest: Buffer = Buffer.alloc(0);
    for await (const piece of pieces) {
      rest = rest.length === 0 ? bufferOf(piece) : this.#joined(rest, piece);
      const end = rest.lastIndexOf(LF) + 1;
      if (end > 0) yield* this.#lines(rest.subarray(0, end));
      rest = rest.subarray(end);
      if (rest.length <= MOST_LINE) continue;
      this.#careful = true;
      yield* this.#withCare(rest, false);
      rest = rest.subarray(rest.length);
    }
    yield* this.#withCare(rest, true);
    if (this.#rows.size > 0) yield this.#rows;
  }

  /**
   * Returns a line's beginning and what follows it, in the same memory each time: nothing that was read of it is still in use, and
   * as much memory as the file has would have to be collected.
   */
  #joined(rest: Buffer, piece: Uint8Array): Buffer {
    const length = rest.length + piece.length;
    const room = this.#room.length < length ? Buffer.allocUnsafeSlow(2 * length) : this.#room;
    // It may lie in that memory, further behind.
    rest.copy(room);
    room.set(piece, rest.length);
    release(piece);
    this.#room = room;
    return room.subarray(0, length);
  }

  /** Reads whole lines. */
  async *#lines(lines: Buffer): AsyncGenerator<readonly Outcome[] | Columnar> {
    // What is not UTF-8 is refused where all is decoded.
    if (!isUtf8(lines)) this.#careful = true;
    const ascii = isAscii(lines);
    for (let at = 0; at < lines.length;) {
      const from = at;
      if (!this.#careful && this.#head === 0 && this.#split.isBetween()) {
        at = this.#scan(lines, from, ascii);
        if (this.#rows.isFull) {
          yield this.#rows;
          this.#rows.clear();
          continue;
        }
        if (at === lines.length) return;
      }
      // Where odd rows are frequent, each stretch with care is longer: to begin one has its price.
      this.#care = at - from < this.#care ? Math.min(MOST_CARE, this.#care * 2) : FIRST_CARE;
      const lineEnd = lines.indexOf(LF, at + this.#care);
      const end = lineEnd === -1 ? lines.length : lineEnd + 1;
      yield* this.#withCare(lines.subarray(at, end), false);
      at = end;
    }
  }

  #scan(lines: Buffer, from: number, ascii: boolean): number {
    const at = this.#scanner.scan(lines, from, ascii);
    this.#split.pass(this.#scanner.lines);
    this.#decode.pass(this.#scanner.lines, this.#scanner.carriageReturns);
    return at;
  }

  /** Reads text row by row; records join the columns, so that they stay in the order of the file. */
  async *#withCare(bytes: Buffer, last: boolean): AsyncGenerator<readonly Outcome[] | Columnar> {
    for (let at = 0; at < bytes.length; at += MOST_CARE)
      yield* this.#text(this.#decode(bytes.subarray(at, at + MOST_CARE), false), false);
    if (last) yield* this.#text(this.#decode(new Uint8Array(), true), true);
  }

  async *#text(text: string, last: boolean): AsyncGenerator<readonly Outcome[] | Columnar> {
    for (const rows of this.#split(text, last)) {
      yield* this.#read(rows);
      await this.#pace.pause();
    }
  }

  *#read(rows: readonly (CsvRow | CsvFault)[]): Generator<readonly Outcome[] | Columnar> {
    for (const row of rows) {
      if (this.#head > 0 && 'cells' in row) {
        this.#head--;
        continue;
      }
      const outcome = this.#reader.read(row);
      if (outcome.kind !== 'record') {
        yield [outcome];
        continue;
      }
      this.#rows.add(outcome.record);
      if (!this.#rows.isFull) continue;
      yield this.#rows;
      this.#rows.clear();
    }
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
