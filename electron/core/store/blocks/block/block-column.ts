import { BITMAP, KIND_MASK, LISTED, MIXED } from './block-writer.ts';
import { ByteReader, malformed } from '../codec/bytes.ts';
import { BOOLEAN, HEX, NUMBER, TEXT } from './cell-kind.ts';
import { HexTexts } from './hex-texts.ts';
import { lowerBound } from '../../../../../shared/values/lower-bound.ts';
import { NumberStream } from '../codec/number-stream.ts';
import type { RowSlice } from './row-slice.ts';

let scratch = new Float64Array(1024);

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
  readonly #isHex: boolean;
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
    const kind = code & KIND_MASK;
    this.#isHex = kind === HEX;
    this.kind = this.#isHex ? TEXT : kind;
    this.#form = code & ~KIND_MASK;
    this.count = count;
    this.#at = at;
    if (this.kind < NUMBER || this.kind > MIXED || count > rows) throw malformed();
  }

  /** Sets where the streams of the block start. */
  place(start: number): void {
    this.#at += start;
  }

  /** The numbers row by row, where every row carries one: what a chart reads group by group. */
  get everyRow(): NumberStream | null {
    const drawable = this.kind === NUMBER || this.kind === BOOLEAN;
    return drawable && this.#form === 0 ? this.#parse().values : null;
  }

  /** Cells that a chart can draw: numbers and booleans. */
  get numeric(): number {
    if (this.kind !== MIXED) return this.kind === TEXT ? 0 : this.count;
    const { kinds } = this.#parse();
    if (scratch.length < this.count) scratch = new Float64Array(this.count);
    kinds?.range(0, this.count, scratch, 0);
    let numeric = 0;
    for (let cell = 0; cell < this.count; cell++) if (scratch[cell] !== TEXT) numeric++;
    return numeric;
  }

  /** Adds a column with the cells of rows [from, to) to a slice; none where no row carries the key. */
  readInto(slice: RowSlice, from: number, to: number): void {
    const parsed = this.#parse();
    const { positions, values } = parsed;
    const first = positions === null ? from : lowerBound(positions, 0, positions.length, from);
    const last = positions === null ? to : lowerBound(positions, 0, positions.length, to);
    if (first === last) return;
    const out = slice.addColumn(this.key);
    if (positions === null && this.kind <= BOOLEAN) {
      out.kinds.fill(this.kind, 0, to - from);
      values.range(from, to, out.numbers, 0);
      return;
    }
    if (parsed.hex !== null) return parsed.hex.readInto(out, positions, { first, last, from });
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

  /**
   * Puts every number and boolean (1 and 0) into `numbers` and the row of each into `rows`, both with room for `count`.
   * Returns how many there are. Costs what the cells cost, however many rows lack the key.
   */
  drawableInto(rows: Float64Array, numbers: Float64Array): number {
    if (this.kind === TEXT) return 0;
    const { count } = this;
    const { positions, values, kinds } = this.#parse();
    values.range(0, count, numbers, 0);
    if (kinds !== null) {
      if (scratch.length < count) scratch = new Float64Array(count);
      kinds.range(0, count, scratch, 0);
    }
    let found = 0;
    for (let cell = 0; cell < count; cell++) {
      if (kinds !== null && scratch[cell] === TEXT) continue;
      rows[found] = positions === null ? cell : positions[cell]!;
      numbers[found++] = numbers[cell]!;
    }
    return found;
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
    if (!this.#isHex && (this.kind === TEXT || this.kind === MIXED)) {
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
    const hex = this.#isHex ? new HexTexts(bytes, values) : null;
    return { positions, textsAt, texts: [], values, kinds, hex };
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
  /** Null but where the column holds its texts as bytes; `values` are their lengths then. */
  readonly hex: HexTexts | null;
}

function setBits(bytes: Buffer, at: number, rows: number, count: number): Float64Array {
  const positions = new Float64Array(count);
  let found = 0;
  for (let row = 0; row < rows; row++)
    if ((bytes[at + (row >>> 3)]! & (1 << (row & 7))) !== 0) positions[found++] = row;
  if (found !== count) throw malformed();
  return positions;
}
