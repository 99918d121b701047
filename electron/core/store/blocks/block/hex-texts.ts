import { malformed } from '../codec/bytes.ts';
import type { NumberStream } from '../codec/number-stream.ts';
import { TEXT } from './cell-kind.ts';
import type { SliceColumn } from './row-slice.ts';

/** Bytes whose texts are made at once, as parts of one: more cost less, but whoever keeps one text keeps them all. */
const PIECE_BYTES = 1024;
let lengths = new Float64Array(1024);

/** The texts of a column that holds the bytes which their hexadecimal digits stand for. */
export class HexTexts {
  readonly #bytes: Buffer;
  /** Where the bytes of each text start, and where those of the last one end. */
  readonly #starts: Uint32Array;

  /** The bytes lie behind the stream of their lengths. Throws `damaged` where these are no lengths, or reach beyond the block. */
  constructor(bytes: Buffer, stream: NumberStream) {
    const { count } = stream;
    if (lengths.length < count) lengths = new Float64Array(count);
    stream.range(0, count, lengths, 0);
    const starts = new Uint32Array(count + 1);
    let at = stream.end;
    starts[0] = at;
    for (let cell = 0; cell < count; cell++) {
      const length = lengths[cell]!;
      if (!(Number.isInteger(length) && length >= 1 && length <= bytes.length - at)) throw malformed();
      starts[cell + 1] = at += length;
    }
    this.#bytes = bytes;
    this.#starts = starts;
  }

  /** Puts the texts of cells [first, last) into a column of a slice; cell i is of the row `positions[i]`, or i, less `from`. */
  readInto(
    out: SliceColumn,
    positions: Float64Array | null,
    { first, last, from }: { readonly first: number; readonly last: number; readonly from: number },
  ): void {
    const starts = this.#starts;
    for (let cell = first; cell < last;) {
      const start = starts[cell]!;
      let end = cell + 1;
      while (end < last && starts[end + 1]! - start <= PIECE_BYTES) end++;
      const digits = this.#bytes.toString('hex', start, starts[end]);
      for (; cell < end; cell++) {
        const row = (positions === null ? cell : positions[cell]!) - from;
        out.kinds[row] = TEXT;
        out.texts[row] = digits.slice((starts[cell]! - start) * 2, (starts[cell + 1]! - start) * 2);
      }
    }
  }
}
