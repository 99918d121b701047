import type { Envelope } from '#shared/schema/envelope.ts';
import { parseJson } from '#shared/values/json.ts';
import { EncodedJson } from '../api/call.ts';
import { Refusal } from '../base/errors.ts';
import type { Semaphore } from '../turns/semaphore.ts';
import type { Wire } from './flow.ts';

/** Bytes of a page that is read into values: more would take a noticeable turn to make and write. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The envelope as a window reads it: pages, which the store writes as JSON text, become values, some at a time and where the
 * window has taken what came before. Rejects with a 413 Refusal where a page is too large, or with the signal's reason.
 */
export async function readable(
  envelope: Envelope,
  {
    pages,
    wire,
    signal,
  }: { readonly pages: Semaphore; readonly wire: Pick<Wire, 'room'>; readonly signal: AbortSignal },
): Promise<Envelope> {
  if (!(envelope.data instanceof EncodedJson)) return envelope;
  const { bytes, borrowed } = envelope.data;
  const pieces = bytes instanceof Uint8Array ? [bytes].values() : bytes[Symbol.asyncIterator]();
  try {
    return await pages.run(async () => {
      await wire.room();
      signal.throwIfAborted();
      return { ...envelope, data: parseJson(await textOf(pieces)) };
    }, signal);
  } finally {
    await pieces.return?.();
    borrowed?.release();
  }
}

async function textOf(pieces: Iterator<Uint8Array> | AsyncIterator<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let length = 0;
  let text = '';
  for (;;) {
    const { done, value } = await pieces.next();
    if (done === true) return text + decoder.decode();
    length += value.byteLength;
    if (length > MOST_BYTES)
      throw new Refusal(
        413,
        `A window is sent at most ${MOST_BYTES} bytes in one answer, and this one has more. Ask for fewer records or keys at once.`,
      );
    text += decoder.decode(value, { stream: true });
  }
}
