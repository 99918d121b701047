import { ByteWriter, wordsOf, type ByteReader } from './bytes.ts';
import { NumberStream } from './number-stream.ts';
import { writeNumbers } from './number-writer.ts';

const words = new ByteWriter(4096);

/** Shared buffer of empty ones: of ten thousand devices most runs are. */
const EMPTY = new Float64Array(4);

/** Numbers that grow at the end. */
export class Numbers {
  values = EMPTY;
  size = 0;
  readonly #capacity: number;

  /** `capacity`: numbers to make room for with the first one. */
  constructor(capacity = EMPTY.length) {
    this.#capacity = capacity;
  }

  push(value: number): void {
    if (this.size === 0) {
      this.values = new Float64Array(this.#capacity);
    } else if (this.size === this.values.length) {
      const grown = new Float64Array(this.size * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.size++] = value;
  }

  equals(other: Numbers): boolean {
    if (this.size !== other.size) return false;
    for (let i = 0; i < this.size; i++) if (!Object.is(this.values[i], other.values[i])) return false;
    return true;
  }

  write(out: ByteWriter): void {
    writeNumbers(this.values, 0, this.size, out, words);
  }
}

/** Reads what `write` wrote. */
export function readNumbers(reader: ByteReader, count: number): Float64Array {
  const stream = new NumberStream(reader.bytes, wordsOf(reader.bytes), reader.at, count);
  const values = new Float64Array(count);
  stream.range(0, count, values, 0);
  reader.raw(stream.end - reader.at);
  return values;
}
