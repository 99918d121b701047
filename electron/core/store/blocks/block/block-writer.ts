import { crc32 } from 'node:zlib';
import { ByteWriter } from '../codec/bytes.ts';
import { writeNumbers } from '../codec/number-writer.ts';
import type { BufferColumn } from './buffer-column.ts';
import { BOOLEAN, NUMBER, TEXT } from './cell-kind.ts';
import type { RowBuffer } from './row-buffer.ts';
import { writeDictionary, writeTexts } from './text-writer.ts';

/*
 * A block: up to a thousand or so rows as columns, sorted by time, equal times in order of arrival; it needs nothing
 * outside itself to be read (docs/storage-format.md, "Blocks").
 */

export const BLOCK_ROWS = 1024;
export const BLOCK_MARK = 0x4b4c4246;
/** CRC, length, mark, rows, columns: a u32 each. */
export const BLOCK_HEADER_BYTES = 20;
/** Blocks start at a multiple of it, so that their words can be read in place. */
export const BLOCK_ALIGNMENT = 8;

/** Forms of the time of receipt: the difference to the time, or itself where that is no safe integer. */
export const RECEIVED_AS_DIFFERENCE = 0;
const RECEIVED_ITSELF = 1;

/** Kind of a column: NUMBER, BOOLEAN, TEXT, HEX, or cells of several kinds. */
export const MIXED = 4;
export const KIND_MASK = 7;
/** Presence: the rows that carry the key are all, those in a bitmap, those listed. */
export const LISTED = 16;
export const BITMAP = 8;

const directory = new ByteWriter(4096);
const body = new ByteWriter(1 << 16);
const words = new ByteWriter(1 << 14);
let numbers = new Float64Array(BLOCK_ROWS);
let places = new Float64Array(BLOCK_ROWS);
let cells = new Uint32Array(BLOCK_ROWS);

/** Encodes the rows at places [from, to) of the buffer's sorted order. */
export function encodeBlock(rows: RowBuffer, from = 0, to = rows.size): Buffer<ArrayBuffer> {
  const size = to - from;
  if (numbers.length < size) {
    numbers = new Float64Array(size);
    places = new Float64Array(size);
    cells = new Uint32Array(size);
  }
  directory.length = 0;
  body.length = 0;
  writeTimes(rows, from, size);
  const placeOf = rows.inOrder ? null : invert(rows.order, rows.size);
  let columns = 0;
  for (const column of rows.columnsOf()) {
    if (rows.inOrder && column.count === rows.size && isDrawable(column)) {
      columns++;
      writeAsItIs(column, from, to);
      continue;
    }
    const count = pickCells(column, rows, placeOf, from, to);
    if (count === 0) continue;
    columns++;
    writeColumn(column, count, size);
  }
  return assemble(size, columns);
}

function writeTimes(rows: RowBuffer, from: number, size: number): void {
  if (rows.inOrder) {
    writeNumbers(rows.times, from, from + size, body, words);
  } else {
    for (let i = 0; i < size; i++) numbers[i] = rows.timeAt(from + i);
    writeNumbers(numbers, 0, size, body, words);
  }
  directory.varint(body.length);

  let form = RECEIVED_AS_DIFFERENCE;
  for (let i = 0; i < size; i++) {
    const row = rows.order[from + i]!;
    numbers[i] = rows.received[row]! - rows.times[row]!;
    if (!Number.isSafeInteger(numbers[i])) form = RECEIVED_ITSELF;
  }
  if (form === RECEIVED_ITSELF)
    for (let i = 0; i < size; i++) numbers[i] = rows.received[rows.order[from + i]!]!;
  const start = body.length;
  writeNumbers(numbers, 0, size, body, words);
  directory.u8(form);
  directory.varint(body.length - start);
}

/** Puts the column's cells at places [from, to) in `cells` and their places, less `from`, in `places`. */
function pickCells(
  column: BufferColumn,
  rows: RowBuffer,
  placeOf: Uint32Array | null,
  from: number,
  to: number,
): number {
  if (column.count === rows.size) {
    for (let i = from; i < to; i++) cells[i - from] = rows.order[i]!;
    return to - from;
  }
  let count = 0;
  if (placeOf === null) {
    // Cells are in order of rows, and rows in their places: what lies in other parts is not looked at.
    for (let cell = column.cellFrom(from); cell < column.count && column.rowOf(cell) < to; cell++) {
      places[count] = column.rowOf(cell) - from;
      cells[count++] = cell;
    }
  } else {
    for (let cell = 0; cell < column.count; cell++) {
      const place = placeOf[column.rowOf(cell)]!;
      if (place < from || place >= to) continue;
      places[count] = place - from;
      cells[count++] = cell;
    }
    const byPlace = Array.from({ length: count }, (_, i) => [places[i]!, cells[i]!] as const);
    byPlace.sort((a, b) => a[0] - b[0]);
    for (const [i, [place, cell]] of byPlace.entries()) {
      places[i] = place;
      cells[i] = cell;
    }
  }
  return count;
}

/** Whether all cells are numbers, or all of them booleans. */
const isDrawable = ({ seen }: BufferColumn) => seen === 1 << NUMBER || seen === 1 << BOOLEAN;

/** Fast path for sensors: every row has a number, and the rows came in order. */
function writeAsItIs(column: BufferColumn, from: number, to: number): void {
  const start = body.length;
  writeNumbers(column.numbers, from, to, body, words);
  writeEntry(column.key, column.kindOf(from), to - from, start);
}

function writeColumn(column: BufferColumn, count: number, size: number): void {
  const start = body.length;
  const form = count === size ? 0 : writePresence(count, size);
  const kind = kindOf(column, count);
  const picked = { column, cells, count, numbers };
  if (kind === TEXT) return writeEntry(column.key, writeTexts(picked, body, words) | form, count, start);
  if (kind === MIXED) {
    writeDictionary(picked, body, words);
    for (let i = 0; i < count; i++) numbers[i] = column.kindOf(cells[i]!);
  } else {
    for (let i = 0; i < count; i++) numbers[i] = column.numbers[cells[i]!]!;
  }
  writeNumbers(numbers, 0, count, body, words);
  writeEntry(column.key, kind | form, count, start);
}

function writeEntry(key: string, code: number, count: number, start: number): void {
  directory.text(key);
  directory.u8(code);
  directory.varint(count);
  directory.varint(body.length - start);
}

function kindOf(column: BufferColumn, count: number): number {
  const kind = column.kindOf(cells[0]!);
  if (column.seen === 1 << kind) return kind;
  for (let i = 1; i < count; i++) if (column.kindOf(cells[i]!) !== kind) return MIXED;
  return kind;
}

function writePresence(count: number, size: number): number {
  const start = body.length;
  writeNumbers(places, 0, count, body, words);
  const bitmapBytes = Math.ceil(size / 32) * 4;
  if (body.length - start <= bitmapBytes) return LISTED;
  body.length = start;
  body.zeros(bitmapBytes);
  for (let i = 0; i < count; i++) {
    const place = places[i]!;
    const at = start + (place >>> 3);
    body.bytes[at] = body.bytes[at]! | (1 << (place & 7));
  }
  return BITMAP;
}

function assemble(size: number, columns: number): Buffer<ArrayBuffer> {
  const bodyStart = Math.ceil((BLOCK_HEADER_BYTES + directory.length) / BLOCK_ALIGNMENT) * BLOCK_ALIGNMENT;
  const length = Math.ceil((bodyStart + body.length) / BLOCK_ALIGNMENT) * BLOCK_ALIGNMENT;
  const block = Buffer.from(new ArrayBuffer(length));
  block.writeUInt32LE(length, 4);
  block.writeUInt32LE(BLOCK_MARK, 8);
  block.writeUInt32LE(size, 12);
  block.writeUInt32LE(columns, 16);
  block.set(directory.written(), BLOCK_HEADER_BYTES);
  block.set(body.written(), bodyStart);
  block.writeUInt32LE(crc32(block.subarray(4)), 0);
  return block;
}

function invert(order: Uint32Array, size: number): Uint32Array {
  const placeOf = new Uint32Array(size);
  for (let place = 0; place < size; place++) placeOf[order[place]!] = place;
  return placeOf;
}
