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

/** The bytes in pieces for a thread. `progress` hears how many were handed on: the thread has finished with all but a few of them. */
export async function* pieces(
  chunks: AsyncIterable<Uint8Array>,
  progress: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  let handed = 0;
  for await (const chunk of chunks) {
    const size = chunk.byteLength;
    for (let at = 0; at < size; at += PIECE_BYTES) {
      const end = Math.min(size, at + PIECE_BYTES);
      yield size <= PIECE_BYTES ? chunk : chunk.subarray(at, end);
      progress((handed += end - at));
    }
  }
}

/**
 * Frees the memory of a piece that was read. Left to the garbage collector, the pieces of a large file set off collections
 * that take a tenth of the time of an import.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
