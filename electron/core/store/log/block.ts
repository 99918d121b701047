import { crc32 } from 'node:zlib';
import type { Micros } from '#shared/time.ts';
import { ByteReader, malformed, wordsOf } from './bytes.ts';
import {
  BITMAP,
  BLOCK_ALIGNMENT,
  BLOCK_HEADER_BYTES,
  BLOCK_MARK,
  KIND_MASK,
  LISTED,
  MIXED,
  RECEIVED_AS_DIFFERENCE,
} from './block-writer.ts';
import { GROUP } from './number-format.ts';
import { NumberStream } from './number-stream.ts';
import { BOOLEAN, NUMBER, TEXT } from './row-buffer.ts';
import type { RowWindow, WindowColumn } from './row-window.ts';

/** What to read of rows: `keys` absent means all of them. */
export interface Projection {
  readonly keys?: ReadonlySet<string>;
  readonly received: boolean;
}

const KEPT_KEYS = 64;
let scratch = new Float64Array(1024);
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

/** Reads a block (block-writer.ts). The bytes have passed `isBlock` and start at a multiple of 8. */
export class Block {
  readonly rows: number;
  readonly bytes: Buffer;
  /** In UTF-16 code unit order of their keys. */
  readonly columns: readonly BlockColumn[];
  readonly times: NumberStream;
  readonly #receivedForm: number;
  readonly #receivedAt: number;
  #received: NumberStream | null = null;
  readonly #words: Int32Array;

  constructor(bytes: Buffer) {
    const words = wordsOf(bytes);
    this.bytes = bytes;
    this.#words = words;
    this.rows = bytes.readUInt32LE(12);
    const count = bytes.readUInt32LE(16);
    const reader = new ByteReader(bytes, BLOCK_HEADER_BYTES);
    const timesBytes = reader.varint();
    this.#receivedForm = reader.u8();
    let at = timesBytes + reader.varint();
    const columns: BlockColumn[] = [];
    for (let i = 0; i < count; i++) {
      columns.push(
        new BlockColumn(bytes, words, this.rows, readKey(reader, i), reader.u8(), reader.varint(), at),
      );
      at += reader.varint();
    }
    reader.align(BLOCK_ALIGNMENT);
    for (const column of columns) column.place(reader.at);
    this.columns = columns;
    this.times = new NumberStream(bytes, words, reader.at, this.rows);
    this.#receivedAt = reader.at + timesBytes;
  }

  get first(): Micros {
    // Times are sorted: the least of the first group is the first of all.
    return this.times.min(0);
  }

  get last(): Micros {
    return this.times.max(Math.ceil(this.rows / GROUP) - 1);
  }

  column(key: string): BlockColumn | undefined {
    return this.columns.find((column) => column.key === key);
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
    const received = this.#receivedStream();
    let latest = -Infinity;
    for (let group = 0; group * GROUP < this.rows; group++) {
      if (this.#receivedForm !== RECEIVED_AS_DIFFERENCE) {
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

  /** Puts rows [from, to) in the window. */
  readInto(window: RowWindow, from: number, to: number, { keys, received }: Projection): void {
    window.reset(to - from);
    this.times.range(from, to, window.times, 0);
    if (received) this.#fillReceived(window, from, to);
    for (const column of this.columns)
      if (keys === undefined || keys.has(column.key)) column.readInto(window.addColumn(column.key), from, to);
  }

  #receivedStream(): NumberStream {
    return (this.#received ??= new NumberStream(this.bytes, this.#words, this.#receivedAt, this.rows));
  }

  #fillReceived(window: RowWindow, from: number, to: number): void {
    this.#receivedStream().range(from, to, window.received, 0);
    if (this.#receivedForm !== RECEIVED_AS_DIFFERENCE) return;
    for (let i = 0; i < to - from; i++) window.received[i] = window.received[i]! + window.times[i]!;
  }
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

/** The cells of one key in a block. */
export class BlockColumn {
  readonly key: string;
  /** NUMBER, BOOLEAN, TEXT or MIXED. */
  readonly kind: number;
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #words: Int32Array;
  readonly #rows: number;
  readonly #form: number;
  #at: number;
  #parsed: ParsedColumn | null = null;

  constructor(
    bytes: Buffer,
    words: Int32Array,
    rows: number,
    key: string,
    code: number,
    count: number,
    at: number,
  ) {
    this.#bytes = bytes;
    this.#words = words;
    this.#rows = rows;
    this.key = key;
    this.kind = code & KIND_MASK;
    this.#form = code & ~KIND_MASK;
    this.count = count;
    this.#at = at;
    if (this.kind < NUMBER || this.kind > MIXED || count > rows) throw malformed();
  }

  /** Tells where the streams of the block start. */
  place(start: number): void {
    this.#at += start;
  }

  /** The numbers row by row, where every row carries one: what a chart reads group by group. */
  get everyRow(): NumberStream | null {
    const drawable = this.kind === NUMBER || this.kind === BOOLEAN;
    return drawable && this.#form === 0 ? this.#parse().values : null;
  }

  /** Puts the cells of rows [from, to) in an empty window column. */
  readInto(out: WindowColumn, from: number, to: number): void {
    const parsed = this.#parse();
    const { positions, values } = parsed;
    if (positions === null && this.kind <= BOOLEAN) {
      out.kinds.fill(this.kind, 0, to - from);
      values.range(from, to, out.numbers, 0);
      return;
    }
    const first = positions === null ? from : firstAtLeast(positions, from);
    const last = positions === null ? to : firstAtLeast(positions, to);
    const count = last - first;
    if (scratch.length < count * 2) scratch = new Float64Array(count * 2);
    values.range(first, last, scratch, 0);
    parsed.kinds?.range(first, last, scratch, count);
    for (let i = 0; i < count; i++) {
      const row = positions === null ? i : positions[first + i]! - from;
      const kind = parsed.kinds === null ? this.kind : scratch[count + i]!;
      out.kinds[row] = kind;
      if (kind === TEXT) out.texts[row] = this.#text(parsed, scratch[i]!);
      else out.numbers[row] = scratch[i]!;
    }
  }

  #text(parsed: ParsedColumn, id: number): string {
    const known = parsed.texts[id];
    if (known !== undefined) return known;
    const at = parsed.textsAt[id];
    if (at === undefined) throw malformed();
    const text = new ByteReader(this.#bytes, at).text();
    // Long texts are read again rather than kept: a cached block is to cost what its bytes cost.
    if (text.length <= 64) parsed.texts[id] = text;
    return text;
  }

  #parse(): ParsedColumn {
    return (this.#parsed ??= this.#read());
  }

  #read(): ParsedColumn {
    const bytes = this.#bytes;
    let at = this.#at;
    let positions: Float64Array | null = null;
    if (this.#form === BITMAP) {
      positions = setBits(bytes, at, this.#rows, this.count);
      at += Math.ceil(this.#rows / 32) * 4;
    } else if (this.#form === LISTED) {
      const listed = new NumberStream(bytes, this.#words, at, this.count);
      positions = new Float64Array(this.count);
      listed.range(0, this.count, positions, 0);
      at = listed.end;
    }
    const textsAt: number[] = [];
    if (this.kind === TEXT || this.kind === MIXED) {
      const reader = new ByteReader(bytes, at);
      for (let left = reader.varint(); left > 0; left--) {
        textsAt.push(reader.at);
        reader.raw(Math.floor(reader.varint() / 2));
      }
      reader.align(4);
      at = reader.at;
    }
    const values = new NumberStream(bytes, this.#words, at, this.count);
    const kinds = this.kind === MIXED ? new NumberStream(bytes, this.#words, values.end, this.count) : null;
    return { positions, textsAt, texts: [], values, kinds };
  }
}

interface ParsedColumn {
  /** Rows that carry the key; null for all. */
  readonly positions: Float64Array | null;
  /** Where each distinct text starts. */
  readonly textsAt: readonly number[];
  readonly texts: (string | undefined)[];
  readonly values: NumberStream;
  readonly kinds: NumberStream | null;
}

function setBits(bytes: Buffer, at: number, rows: number, count: number): Float64Array {
  const positions = new Float64Array(count);
  let found = 0;
  for (let row = 0; row < rows; row++)
    if ((bytes[at + (row >>> 3)]! & (1 << (row & 7))) !== 0) positions[found++] = row;
  if (found !== count) throw malformed();
  return positions;
}

function firstAtLeast(positions: Float64Array, row: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (positions[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
