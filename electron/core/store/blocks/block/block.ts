import { crc32 } from 'node:zlib';
import type { Micros } from '#shared/values/time.ts';
import { BlockColumn } from './block-column.ts';
import { BLOCK_ALIGNMENT, BLOCK_HEADER_BYTES, BLOCK_MARK, RECEIVED_AS_DIFFERENCE } from './block-writer.ts';
import { ByteReader, wordsOf } from '../codec/bytes.ts';
import { GROUP } from '../codec/number-format.ts';
import { NumberStream } from '../codec/number-stream.ts';
import type { RowSlice } from './row-slice.ts';

/** Projection of rows: `keys` absent means all of them. */
export interface Projection {
  readonly keys?: ReadonlySet<string>;
  readonly received: boolean;
}

const KEPT_KEYS = 64;
/** So many are looked through as fast as they are looked up. */
const FEW_COLUMNS = 16;
const groupTimes = new Float64Array(GROUP);
const groupValues = new Float64Array(GROUP);

/** Whether the bytes are one whole, undamaged block. */
export function isBlock(bytes: Buffer): boolean {
  return (
    bytes.length >= BLOCK_HEADER_BYTES &&
    bytes.readUInt32LE(4) === bytes.length &&
    bytes.readUInt32LE(8) === BLOCK_MARK &&
    bytes.readUInt32LE(0) === crc32(bytes.subarray(4))
  );
}

/** Returns the bytes of the block that begins there, without a look inside. */
export const lengthOf = (bytes: Buffer, at: number) => bytes.readUInt32LE(at + 4);

/** Returns the rows of a block, without a look inside. */
export const rowsOf = (bytes: Buffer) => bytes.readUInt32LE(12);

/** Span of a new block, known to its writer. */
export interface BlockSpan {
  readonly first: Micros;
  readonly last: Micros;
  /** Latest time of receipt. */
  readonly received: Micros;
}

interface Contents {
  /** In UTF-16 code unit order of their keys. */
  readonly columns: readonly BlockColumn[];
  readonly times: NumberStream;
  readonly words: Int32Array;
  readonly receivedForm: number;
  readonly receivedAt: number;
}

/** Reads a block (block-writer.ts). */
export class Block {
  readonly rows: number;
  readonly bytes: Buffer;
  readonly #span: BlockSpan | undefined;
  #contents: Contents | null = null;
  #received: NumberStream | null = null;
  #byKey: ReadonlyMap<string, number> | null = null;

  /**
   * The bytes have passed `isBlock` and start at a multiple of 8. They are looked into at once, and refused where they are
   * malformed; only of a block that was just made, whose span is known, not before its cells are asked for.
   */
  constructor(bytes: Buffer, span?: BlockSpan) {
    this.bytes = bytes;
    this.rows = rowsOf(bytes);
    this.#span = span;
    if (span === undefined) this.#contents = readContents(bytes, this.rows);
  }

  /** As the constructor, with its checks, but keeps no more than the span until the first read. */
  static atRest(bytes: Buffer): Block {
    const read = new Block(bytes);
    return new Block(bytes, { first: read.first, last: read.last, received: read.lastReceived() });
  }

  get columns(): readonly BlockColumn[] {
    return this.#read().columns;
  }

  get times(): NumberStream {
    return this.#read().times;
  }

  get first(): Micros {
    // Times are sorted: the least of the first group is the first of all.
    return this.#span?.first ?? this.times.min(0);
  }

  get last(): Micros {
    return this.#span?.last ?? this.times.max(Math.ceil(this.rows / GROUP) - 1);
  }

  column(key: string): BlockColumn | undefined {
    const { columns } = this;
    if (columns.length <= FEW_COLUMNS) return columns.find((column) => column.key === key);
    const index = this.#indexOf(key);
    return index === undefined ? undefined : columns[index];
  }

  /** Rows before `time`, or also those at it. */
  rowsBefore(time: Micros, inclusive: boolean): number {
    const groups = Math.ceil(this.rows / GROUP);
    const before = (at: Micros) => at < time || (inclusive && at === time);
    let group = 0;
    while (group + 1 < groups && before(this.times.min(group + 1))) group++;
    let low = 0;
    let high = this.times.group(group, groupTimes, 0);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (before(groupTimes[middle]!)) low = middle + 1;
      else high = middle;
    }
    return group * GROUP + low;
  }

  timeAt(row: number): Micros {
    this.times.group(Math.floor(row / GROUP), groupTimes, 0);
    return groupTimes[row % GROUP]!;
  }

  /** Latest time of receipt. Decodes only groups in which it is not as far from the time everywhere. */
  lastReceived(): Micros {
    if (this.#span !== undefined) return this.#span.received;
    const { receivedForm } = this.#read();
    const received = this.#receivedStream();
    let latest = -Infinity;
    for (let group = 0; group * GROUP < this.rows; group++) {
      if (receivedForm !== RECEIVED_AS_DIFFERENCE) {
        latest = Math.max(latest, received.max(group));
      } else if (received.min(group) === received.max(group)) {
        latest = Math.max(latest, this.times.max(group) + received.max(group));
      } else {
        const count = this.times.group(group, groupTimes, 0);
        received.group(group, groupValues, 0);
        for (let i = 0; i < count; i++) latest = Math.max(latest, groupTimes[i]! + groupValues[i]!);
      }
    }
    return latest;
  }

  /** Puts rows [from, to) in the slice. */
  readInto(slice: RowSlice, from: number, to: number, { keys, received }: Projection): void {
    slice.reset(to - from);
    this.times.range(from, to, slice.times, 0);
    if (received) this.#fillReceived(slice, from, to);
    for (const column of this.#columnsOf(keys)) column.readInto(slice, from, to);
  }

  /** The columns of the keys, in their order; what is not asked for costs nothing where a block has very many. */
  #columnsOf(keys: ReadonlySet<string> | undefined): readonly BlockColumn[] {
    const { columns } = this;
    if (keys === undefined) return columns;
    if (columns.length <= FEW_COLUMNS || keys.size * FEW_COLUMNS > columns.length)
      return columns.filter((column) => keys.has(column.key));
    const found = [...keys].map((key) => this.#indexOf(key)).filter((index) => index !== undefined);
    return found.toSorted((a, b) => a - b).map((index) => columns[index]!);
  }

  #indexOf(key: string): number | undefined {
    this.#byKey ??= new Map(this.columns.map((column, index) => [column.key, index]));
    return this.#byKey.get(key);
  }

  #read(): Contents {
    return (this.#contents ??= readContents(this.bytes, this.rows));
  }

  #receivedStream(): NumberStream {
    if (this.#received === null) {
      const { words, receivedAt } = this.#read();
      this.#received = new NumberStream(this.bytes, words, receivedAt, this.rows);
    }
    return this.#received;
  }

  #fillReceived(slice: RowSlice, from: number, to: number): void {
    this.#receivedStream().range(from, to, slice.received, 0);
    if (this.#read().receivedForm !== RECEIVED_AS_DIFFERENCE) return;
    for (let i = 0; i < to - from; i++) slice.received[i] = slice.received[i]! + slice.times[i]!;
  }
}

function readContents(bytes: Buffer, rows: number): Contents {
  const words = wordsOf(bytes);
  const count = bytes.readUInt32LE(16);
  const reader = new ByteReader(bytes, BLOCK_HEADER_BYTES);
  const timesBytes = reader.varint();
  const receivedForm = reader.u8();
  let at = timesBytes + reader.varint();
  const columns: BlockColumn[] = [];
  for (let i = 0; i < count; i++) {
    columns.push(new BlockColumn(bytes, words, rows, readKey(reader, i), reader.u8(), reader.varint(), at));
    at += reader.varint();
  }
  reader.align(BLOCK_ALIGNMENT);
  for (const column of columns) column.place(reader.at);
  const times = new NumberStream(bytes, words, reader.at, rows);
  return { columns, times, words, receivedForm, receivedAt: reader.at + timesBytes };
}

/** Keys of the block read last, as written: the next block mostly has the same, and need not make texts of them. */
const keysBefore: { readonly written: Buffer; readonly key: string }[] = [];

function readKey(reader: ByteReader, column: number): string {
  const start = reader.at;
  const before = keysBefore[column];
  if (before !== undefined && reader.skipIfEqual(before.written)) return before.key;
  const key = reader.text();
  if (column < KEPT_KEYS)
    keysBefore[column] = { written: Buffer.from(reader.bytes.subarray(start, reader.at)), key };
  return key;
}
