/** Passes chunks on until the signal fires, also from a sender that has gone quiet: its reason is thrown. */
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
