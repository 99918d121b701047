/** A request body that is data, not JSON: an import. */
export interface Body {
  /** Whoever reads a piece owns it. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Bytes in all, where the sender said so. */
  readonly size: number | null;
  /** The media type without parameters, where the sender said so. */
  readonly type: string | null;
}

/** Bytes that go to a thread at once: large enough to be worth the way, small enough to bound what is under way. */
const PIECE_BYTES = 64 * 1024;

/** The bytes in pieces for a thread. */
export async function* pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (chunk.byteLength <= PIECE_BYTES) yield chunk;
    else
      for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

/**
 * Frees the memory of a piece that was read. Left to the garbage collector, the pieces of a large file set off collections
 * that take a tenth of the time of an import.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
