import { NEXT_SHEET } from '../../store/blocks/codec/xlsx-cells.ts';
import type { ExportPiece } from '../export-options.ts';

/** What is compressed at once: as much each time, so that the same sheets make the same bytes in whatever pieces they come. */
const CHUNK_BYTES = 64 * 1024;

/** Cuts the pieces of a device into its worksheets, and those into chunks of one size. */
export class SheetSplitter {
  readonly #pieces: AsyncIterator<ExportPiece, void, undefined>;
  readonly #onRead: (records: number) => void;
  #rest: Buffer | null = null;
  /** Whether a further sheet follows on the last one. */
  hasMore = true;

  constructor(pieces: AsyncIterator<ExportPiece, void, undefined>, onRead: (records: number) => void) {
    this.#pieces = pieces;
    this.#onRead = onRead;
  }

  /** The next sheet; to be read to its end before the one behind it. */
  async *sheet(): AsyncGenerator<Buffer, void, undefined> {
    this.hasMore = false;
    let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let filled = 0;
    while (!this.hasMore) {
      const bytes = this.#rest ?? (await this.#read());
      this.#rest = null;
      if (bytes === null) break;
      const end = bytes.indexOf(NEXT_SHEET);
      this.hasMore = end >= 0;
      if (this.hasMore) this.#rest = bytes.subarray(end + 1);
      const own = this.hasMore ? bytes.subarray(0, end) : bytes;
      for (let from = 0; from < own.length;) {
        const copied = own.copy(chunk, filled, from);
        from += copied;
        filled += copied;
        if (filled < CHUNK_BYTES) continue;
        yield chunk;
        chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
        filled = 0;
      }
    }
    yield chunk.subarray(0, filled);
  }

  async #read(): Promise<Buffer | null> {
    const next = await this.#pieces.next();
    if (next.done) return null;
    const { bytes, length } = next.value;
    this.#onRead(length);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}
