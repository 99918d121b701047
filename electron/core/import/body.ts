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

/** The same bytes, but for a sender that has gone quiet when the signal fires: its reason is thrown. */
export async function* until<T>(signal: AbortSignal, chunks: AsyncIterable<T>): AsyncGenerator<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  // It may fire where nobody waits.
  aborted.catch(() => undefined);
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // A sender that is quiet does not come back from here.
    void iterator.return?.().catch(() => undefined);
  }
}
