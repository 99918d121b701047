import { CHUNK_BYTES, CREDIT } from '#shared/bridge/wire.ts';
import type { Awaitable } from '../base/awaitable.ts';
import { badRequest } from '../base/errors.ts';

/* Bulk data under credit (shared/bridge/wire.ts): neither side ever holds more than CREDIT messages of the other. */

/** The way to a window over the network. */
export interface Wire {
  /** Waits until the window has taken enough of what was posted for bulk data to follow. */
  room(): Awaitable<void>;
  /** Stops reading what the window sends, or goes on. */
  read(goesOn: boolean): void;
}

/** The service's right to send bulk messages: CREDIT at first, one more for each `more` of the window. */
export interface Credit {
  /** Waits for the right to send one message. Rejects as the signal's reason. */
  take(): Promise<void>;
  grant(): void;
}

export function createCredit(signal: AbortSignal): Credit {
  let left = CREDIT;
  let waiting: (() => void) | null = null;
  signal.addEventListener('abort', () => waiting?.());
  return {
    async take() {
      for (;;) {
        signal.throwIfAborted();
        if (left > 0) break;
        await new Promise<void>((resolve) => (waiting = resolve));
      }
      left--;
    },
    grant() {
      left++;
      waiting?.();
    },
  };
}

/** A file that a window sends, as the body that a handler reads. */
export interface Upload {
  readonly bytes: AsyncIterable<Uint8Array>;
  push(chunk: Uint8Array): void;
  end(): void;
}

/** `taken` runs for each chunk the reader has finished with, so that the window may send another. */
export function createUpload(signal: AbortSignal, taken: () => void): Upload {
  const queue: Uint8Array[] = [];
  let ended = false;
  let problem: string | null = null;
  let wake: (() => void) | null = null;
  signal.addEventListener('abort', () => wake?.());

  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      signal.throwIfAborted();
      if (problem !== null) throw badRequest(problem);
      const chunk = queue.shift();
      if (chunk) {
        yield chunk;
        taken();
      } else if (ended) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    bytes: read(),
    push(chunk) {
      if (queue.length >= CREDIT) problem = `At most ${CREDIT} chunks may be under way at once.`;
      else if (chunk.length > CHUNK_BYTES)
        problem = `A chunk has at most ${CHUNK_BYTES} bytes, got ${chunk.length}.`;
      else queue.push(chunk);
      wake?.();
    },
    end() {
      ended = true;
      wake?.();
    },
  };
}
