import { stoppedInStart } from '#core/base/errors.ts';
import type { Logger } from '#core/base/logger.ts';
import { within } from '#core/turns/within.ts';
import type { Service } from '#core/service/service.ts';

/**
 * How long the end of the app waits for its service, in ms: as long as docs/running.md, "Command line" promises of a stop.
 * A service that hangs must not keep a session from ending.
 */
const CLOSE_MS = 4800;

/** The single end of the service, for a quit, the end of the session, or a crash. */
export interface Ending {
  /** From the first request on; no window is opened any more. */
  readonly isUnderWay: boolean;
  /** Ends a start that has not come to its end. */
  readonly signal: AbortSignal;
  /** Says which service there is to close, as soon as its start begins. */
  of(starting: Promise<Pick<Service, 'close'>>): void;
  /** Closes the service, once. Resolves when it is closed, or after `limitMs`; it never rejects. */
  run(limitMs?: number): Promise<void>;
}

export function createEnding(log: Pick<Logger, 'error'>): Ending {
  let starting: Promise<Pick<Service, 'close'> | null> = Promise.resolve(null);
  let closed: Promise<boolean> | null = null;
  const stopping = new AbortController();

  async function close(): Promise<boolean> {
    stopping.abort(stoppedInStart());
    // A start that failed has closed what it opened, and says why to whoever waits for it.
    const service = await starting.catch(() => null);
    try {
      await service?.close();
    } catch (error) {
      log.error('The service did not close well', error);
    }
    return true;
  }

  return {
    get isUnderWay() {
      return closed !== null;
    },
    signal: stopping.signal,
    of(promise) {
      starting = promise;
      // Whoever starts it hears why it failed, perhaps only once the window is open.
      starting.catch(() => null);
    },
    async run(limitMs = CLOSE_MS) {
      closed ??= close();
      const isClosed = await within(closed, limitMs, () => false);
      if (!isClosed)
        log.error(
          `The service was not closed after ${limitMs} ms; the app ends without it. What was accepted is stored.`,
        );
    },
  };
}
