import type { ByteWriter } from '../codec/bytes.ts';
import { writeNumbers } from '../codec/number-writer.ts';
import type { BufferColumn } from './buffer-column.ts';
import { BOOLEAN, HEX, NUMBER, TEXT } from './cell-kind.ts';

/** Bytes of the lengths of texts at most: of each, and of all. */
const LENGTH_BYTES = 5;
const LENGTHS_BYTES = 64;
const HEXADECIMAL = /^[0-9a-f]+$/;

/** The first `count` of `cells` are cells of the column; `numbers` has room for as many. */
export interface PickedCells {
  readonly column: BufferColumn;
  readonly cells: Uint32Array;
  readonly count: number;
  readonly numbers: Float64Array;
}

/** Writes cells that are all texts, in the shorter of the two forms of texts, and returns its kind: TEXT or HEX. */
export function writeTexts(picked: PickedCells, out: ByteWriter, words: ByteWriter): number {
  const start = out.length;
  const bytes = likelyBytes(picked);
  const isTried = writeDictionary(
    picked,
    out,
    words,
    bytes === 0 ? Infinity : longestHex(bytes, picked.count),
  );
  const middle = out.length;
  if (bytes === 0 || (isTried && middle - start <= bytes)) return TEXT;
  const isHex = writeHex(picked, out, words);
  const length = out.length - middle;
  if (isHex && !(isTried && middle - start <= length)) {
    out.bytes.copyWithin(start, middle, out.length);
    out.length = start + length;
    return HEX;
  }
  out.length = middle;
  if (!isTried) writeDictionary(picked, out, words);
  return TEXT;
}

/**
 * Writes the distinct texts, then the number of each cell's text, or its own number. Where the distinct texts have more than
 * `most` characters it writes nothing and returns false.
 */
export function writeDictionary(
  { column, cells, count, numbers }: PickedCells,
  out: ByteWriter,
  words: ByteWriter,
  most = Infinity,
): boolean {
  const ids = new Map<string, number>();
  let characters = 0;
  for (let i = 0; i < count; i++) {
    const cell = cells[i]!;
    const kind = column.kindOf(cell);
    if (kind === NUMBER || kind === BOOLEAN) {
      numbers[i] = column.numbers[cell]!;
      continue;
    }
    const text = column.texts[cell]!;
    let id = ids.get(text);
    if (id === undefined) {
      ids.set(text, (id = ids.size));
      characters += text.length;
      if (characters > most) return false;
    }
    numbers[i] = id;
  }
  out.varint(ids.size);
  for (const text of ids.keys()) out.text(text);
  out.align(4);
  writeNumbers(numbers, 0, count, out, words);
  return true;
}

/**
 * Returns how many bytes all texts stand for, if they are hexadecimal; 0 where they are not. A look at the first one and the
 * lengths of all: `writeHex` looks at the others.
 */
function likelyBytes({ column, cells, count }: PickedCells): number {
  if (!HEXADECIMAL.test(column.texts[cells[0]!]!)) return 0;
  let digits = 0;
  for (let i = 0; i < count; i++) {
    const { length } = column.texts[cells[i]!]!;
    if (length === 0 || length % 2 === 1) return 0;
    digits += length;
  }
  return digits / 2;
}

/** Bytes that `writeHex` writes at most. */
const longestHex = (bytes: number, count: number) => bytes + count * LENGTH_BYTES + LENGTHS_BYTES;

/** Writes how many bytes each text stands for, then those bytes. Returns false where the bytes do not give the texts again. */
function writeHex(
  { column, cells, count, numbers }: PickedCells,
  out: ByteWriter,
  words: ByteWriter,
): boolean {
  let digits = '';
  for (let i = 0; i < count; i++) {
    const text = column.texts[cells[i]!]!;
    numbers[i] = text.length / 2;
    digits += text;
  }
  writeNumbers(numbers, 0, count, out, words);
  const from = out.length;
  out.hex(digits);
  const isHex = out.bytes.toString('hex', from, out.length) === digits;
  out.align(4);
  return isHex;
}
