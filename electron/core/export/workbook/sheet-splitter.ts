import { NEXT_SHEET } from '../../store/blocks/codec/xlsx-cells.ts';
import type { ExportPiece } from '../export-options.ts';

/** Cuts the pieces of a device into its worksheets. What it yields is empty once the next one is asked for. */
export class SheetSplitter {
  readonly #pieces: AsyncIterator<ExportPiece, void, undefined>;
  readonly #onRead: (records: number) => void;
  #rest: Buffer | null = null;
  /** The last one, if it has a buffer of its own. */
  #piece: ArrayBuffer | null = null;
  /** Whether a further sheet follows on the last one. */
  hasMore = true;

  constructor(pieces: AsyncIterator<ExportPiece, void, undefined>, onRead: (records: number) => void) {
    this.#pieces = pieces;
    this.#onRead = onRead;
  }

  /** The next sheet; to be read to its end before the one behind it. */
  async *sheet(): AsyncGenerator<Buffer, void, undefined> {
    this.hasMore = false;
    while (!this.hasMore) {
      const bytes = this.#rest ?? (await this.#read());
      this.#rest = null;
      if (bytes === null) return;
      const end = bytes.indexOf(NEXT_SHEET);
      this.hasMore = end >= 0;
      if (this.hasMore) this.#rest = bytes.subarray(end + 1);
      yield this.hasMore ? bytes.subarray(0, end) : bytes;
    }
  }

  async #read(): Promise<Buffer | null> {
    // Memory that is given back at once: V8 lets tens of MB gather before it looks for what nobody needs.
    this.#piece?.transfer(0);
    this.#piece = null;
    const next = await this.#pieces.next();
    if (next.done) return null;
    const { bytes, length } = next.value;
    this.#onRead(length);
    const { buffer } = bytes;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) this.#piece = buffer;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}
