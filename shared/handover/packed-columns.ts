import { parseJson } from '../values/json.ts';
import { ByteReader, type ByteWriter } from './bytes.ts';
import { packNumbers, unpackNumbers } from './packed-numbers.ts';

/*
 * Records as columns of bytes, which a page that is handed over has and its viewer reads: to the microsecond and the last bit, with
 * texts and booleans. A column is a row of parts, each of some thousand records, so that nobody who packs is kept waiting.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Records of a part. */
export const PART_ROWS = 32_768;

export type PackedValue = number | string | boolean;

/** What a column holds at a record. */
export const KINDS = { none: 0, number: 1, false: 2, true: 3, text: 4 } as const;

/** A column of all records. */
export interface UnpackedColumn {
  /** Kind of each record's cell, of `KINDS`. */
  readonly kinds: Uint8Array;
  /** NaN where it is no number. */
  readonly numbers: Float64Array;
  /** By record, where it is a text. */
  readonly texts: ReadonlyMap<number, string>;
}

/** Instants in µs, ascending, as a part. Those that lie too far apart for exact differences are as they are. */
export function packTimes(times: Float64Array, to: ByteWriter): void {
  const isExact = times.every((time, row) => row === 0 || isStep(time - times[row - 1]!));
  to.whole(times.length);
  to.whole(isExact ? 1 : 0);
  if (!isExact) return packNumbers(times, to);
  packNumbers(times.length === 0 ? Float64Array.of(0) : times.subarray(0, 1), to);
  for (let row = 1; row < times.length; row++) to.whole(times[row]! - times[row - 1]!);
}

const isStep = (step: number) => step >= 0 && Number.isSafeInteger(step);

/** Instants of so many records, by their parts. */
export function unpackTimes(bytes: Uint8Array, records: number): Float64Array {
  const times = new Float64Array(records);
  const from = new ByteReader(bytes);
  for (let row = 0; row < records;) {
    const length = from.whole();
    const isExact = from.whole() === 1;
    const plain = unpackNumbers(from);
    times.set(plain, row);
    if (isExact) {
      let time = plain[0] ?? 0;
      for (let at = 1; at < length; at++) times[row + at] = time += from.whole();
    }
    row += length;
  }
  return times;
}

/** The values of a key in the records of a part. */
export interface ColumnPart {
  /** Kind of each record's cell, of `KINDS`. */
  readonly kinds: Uint8Array;
  /** Of the records that have one, in their order. */
  readonly numbers: Float64Array;
  readonly texts: readonly string[];
}

export function packColumn({ kinds, numbers, texts }: ColumnPart, to: ByteWriter): void {
  to.whole(kinds.length);
  const [alike = KINDS.none] = kinds;
  const isAlike = kinds.every((kind) => kind === alike);
  to.whole(isAlike ? alike : MIXED);
  if (!isAlike) to.bytes(kinds);
  packNumbers(numbers, to);
  packTexts(texts, to);
}

/** In place of the one kind that all have. */
const MIXED = 9;

/** The column of so many records, by its parts. */
export function unpackColumn(bytes: Uint8Array, records: number): UnpackedColumn {
  const kinds = new Uint8Array(records);
  const numbers = new Float64Array(records).fill(Number.NaN);
  const texts = new Map<number, string>();
  const from = new ByteReader(bytes);
  for (let row = 0; row < records;) {
    const length = from.whole();
    const kind = from.whole();
    if (kind === MIXED) kinds.set(from.bytes(length), row);
    else kinds.fill(kind, row, row + length);
    const ownNumbers = unpackNumbers(from);
    const ownTexts = unpackTexts(from);
    let [number, text] = [0, 0];
    for (const end = row + length; row < end; row++) {
      if (kinds[row] === KINDS.number) numbers[row] = ownNumbers[number++] ?? Number.NaN;
      else if (kinds[row] === KINDS.text) texts.set(row, ownTexts[text++] ?? '');
    }
  }
  return { kinds, numbers, texts };
}

/** The value of a column at a record; undefined where it has none. */
export function valueAt({ kinds, numbers, texts }: UnpackedColumn, row: number): PackedValue | undefined {
  switch (kinds[row]) {
    case KINDS.number:
      return numbers[row];
    case KINDS.false:
      return false;
    case KINDS.true:
      return true;
    case KINDS.text:
      return texts.get(row);
    default:
      return undefined;
  }
}

/** Each different one once, as JSON, which has lone surrogates, too. */
function packTexts(texts: readonly string[], to: ByteWriter): void {
  to.whole(texts.length);
  if (texts.length === 0) return;
  const places = new Map<string, number>();
  for (const text of texts) if (!places.has(text)) places.set(text, places.size);
  const json = encoder.encode(JSON.stringify([...places.keys()]));
  to.whole(json.length);
  to.bytes(json);
  for (const text of texts) to.whole(places.get(text) ?? 0);
}

function unpackTexts(from: ByteReader): readonly string[] {
  const length = from.whole();
  if (length === 0) return [];
  const list = parseJson(decoder.decode(from.bytes(from.whole()))) as readonly string[];
  return Array.from({ length }, () => list[from.whole()] ?? '');
}
