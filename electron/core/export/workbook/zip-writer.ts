import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';
import {
  centralHeader,
  dataDescriptor,
  endOfDirectory,
  localHeader,
  MOST_OF_32_BITS,
  type ZipEntry,
} from './zip-records.ts';

/** Bytes that zlib writes into one buffer. */
const CHUNK_BYTES = 64 * 1024;

type Bytes = AsyncGenerator<Buffer, void, undefined>;

const deflatedWhole = promisify<Buffer, { level: number }, Buffer>(deflateRaw);

/**
 * Writes a ZIP file, a file after another, each to its end before the one behind it: the same bytes of the same files in whatever
 * pieces they come. A piece is done with when the next one is asked for, so that its memory can be used again.
 */
export class ZipWriter {
  readonly #level: number;
  readonly #most: number;
  readonly #entries: ZipEntry[] = [];
  #written = 0;

  /** `level`: of zlib. `most`: the largest number that needs no ZIP64. */
  constructor(level: number, most = MOST_OF_32_BITS) {
    this.#level = level;
    this.#most = most;
  }

  /** A file whose length is not known. */
  async *streamed(name: string, pieces: AsyncIterable<Buffer>): Bytes {
    const entry = this.#begin(name, true);
    yield this.#counted(localHeader(entry));
    for await (const bytes of this.#deflated(entry, pieces)) {
      entry.compressed += bytes.length;
      yield this.#counted(bytes);
    }
    yield this.#counted(dataDescriptor(entry, this.#most));
  }

  async *whole(name: string, text: string): Bytes {
    const entry = this.#begin(name, false);
    const bytes = Buffer.from(text);
    const deflated = await deflatedWhole(bytes, { level: this.#level });
    entry.crc = crc32(bytes);
    entry.uncompressed = bytes.length;
    entry.compressed = deflated.length;
    yield this.#counted(localHeader(entry));
    yield this.#counted(deflated);
  }

  /** Central directory and its end, behind the last file. */
  *end(): Generator<Buffer, void, undefined> {
    const offset = this.#written;
    for (const entry of this.#entries) yield this.#counted(centralHeader(entry, this.#most));
    const directory = { entries: this.#entries.length, offset, bytes: this.#written - offset };
    yield endOfDirectory(directory, this.#most);
  }

  #begin(name: string, isStreamed: boolean): ZipEntry {
    const numbers = { offset: this.#written, crc: 0, compressed: 0, uncompressed: 0 };
    const entry = { name: Buffer.from(name), isStreamed, ...numbers };
    this.#entries.push(entry);
    return entry;
  }

  #counted(bytes: Buffer): Buffer {
    this.#written += bytes.length;
    return bytes;
  }

  async *#deflated(entry: ZipEntry, pieces: AsyncIterable<Buffer>): Bytes {
    const deflate = createDeflateRaw({ level: this.#level, chunkSize: CHUNK_BYTES });
    const made = new Slices();
    deflate.on('data', (bytes: Buffer) => made.add(bytes));
    const over = finished(deflate);
    // Awaited at the end; a failure before it is that of a write.
    over.catch(() => undefined);
    try {
      for await (const piece of pieces) {
        entry.crc = crc32(piece, entry.crc);
        entry.uncompressed += piece.length;
        // zlib reads in another thread until it calls back.
        await new Promise<void>((resolve, reject) => {
          deflate.write(piece, (error) => (error ? reject(error) : resolve()));
        });
        yield* made.whole();
      }
      deflate.end();
      await over;
      yield* made.whole();
      yield* made.rest();
    } finally {
      deflate.destroy();
    }
  }
}

/** Slices of buffers as zlib hands them over: those that fill one together are that buffer, which nobody copies. */
class Slices {
  #whole: Buffer[] = [];
  #open: Buffer[] = [];
  #length = 0;

  add(slice: Buffer): void {
    const [first = slice] = this.#open;
    if (slice.buffer !== first.buffer || slice.byteOffset !== first.byteOffset + this.#length) this.#close();
    this.#open.push(slice);
    this.#length += slice.length;
    if (slice.byteOffset + slice.length === slice.buffer.byteLength) this.#close();
  }

  /** Takes what is complete. */
  whole(): readonly Buffer[] {
    const taken = this.#whole;
    this.#whole = [];
    return taken;
  }

  /** Takes what is left. */
  rest(): readonly Buffer[] {
    this.#close();
    return this.whole();
  }

  #close(): void {
    const [first] = this.#open;
    if (first !== undefined) this.#whole.push(Buffer.from(first.buffer, first.byteOffset, this.#length));
    this.#open = [];
    this.#length = 0;
  }
}
