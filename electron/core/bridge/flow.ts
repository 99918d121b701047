import { CHUNK_BYTES } from '#shared/bridge/wire.ts';
import { Arrivals, CREDIT } from '#shared/values/credit.ts';
import type { Awaitable } from '../base/awaitable.ts';
import { badRequest } from '../base/errors.ts';

/** Wire to a window over the network. */
export interface Wire {
  /** Waits until the window has taken enough of what was posted for bulk data to follow. */
  room(): Awaitable<void>;
  /** Stops reading what the window sends, or goes on. */
  read(goesOn: boolean): void;
}

/** File that a window sends, with backpressure, as the body that a handler reads. */
export interface Upload {
  readonly bytes: AsyncIterable<Uint8Array>;
  push(chunk: Uint8Array): void;
  end(): void;
}

/** `taken` runs for each chunk the reader has finished with, so that the window may send another. */
export function createUpload(signal: AbortSignal, taken: () => void): Upload {
  const chunks = new Arrivals<Uint8Array>(taken, signal);
  return {
    bytes: chunks.read(),
    push(chunk) {
      if (chunks.size >= CREDIT)
        chunks.fail(badRequest(`At most ${CREDIT} chunks may be under way at once.`));
      else if (chunk.length > CHUNK_BYTES)
        chunks.fail(badRequest(`A chunk has at most ${CHUNK_BYTES} bytes, got ${chunk.length}.`));
      else chunks.push(chunk);
    },
    end: () => chunks.end(),
  };
}
