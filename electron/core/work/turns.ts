import { Refusal } from '../errors.ts';
import type { Logger } from '../logger.ts';

/**
 * Turns of work that a reader takes piece by piece, so that any number may ask at once and memory stays bounded: some
 * run, the others wait, first come first served. A reader who takes nothing for a while steps aside and waits for another
 * turn when it comes back; of those who stand aside too many, the longest is given up, and so is who stands there too long.
 */
export interface Turns {
  /** Passes the parts on in turns. Rejects with the signal's reason, also while it waits. */
  take<T>(parts: AsyncIterable<T>, signal?: AbortSignal): InTurn<T>;
}

export interface InTurn<T> {
  readonly parts: AsyncGenerator<T, void, undefined>;
  /** Fires when the reader is given up: what it has got is no whole. */
  readonly givenUp: AbortSignal;
}

export interface TurnsOptions {
  /** Turns at once. */
  readonly most: number;
  /** Readers that may stand aside; what they were given stays in memory. */
  readonly aside: number;
  /** ms after which a reader that takes nothing steps aside. */
  readonly patienceMs: number;
  /** ms after which a reader that stands aside is given up: what it is read from cannot be removed before. */
  readonly limitMs: number;
  readonly log: Pick<Logger, 'warn'>;
}

export function createTurns({ most, aside, patienceMs, limitMs, log }: TurnsOptions): Turns {
  let free = most;
  /** In the order in which they came. */
  const waiting = new Set<() => void>();
  const standing = new Set<AbortController>();

  function release(): void {
    const [next] = waiting;
    if (next === undefined) free++;
    else {
      waiting.delete(next);
      next();
    }
  }

  async function turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  function standAside(reader: AbortController): void {
    standing.add(reader);
    const [longest] = standing;
    if (standing.size <= aside || longest === undefined) return;
    giveUp(
      longest,
      'An export was ended: its reader took nothing, and too many others did not either.',
      'The export was ended: nothing of it was taken while others waited. Try again.',
    );
  }

  function standTooLong(reader: AbortController): void {
    const seconds = Math.round(limitMs / 1000);
    giveUp(
      reader,
      `An export was ended: its reader took nothing for ${seconds} s.`,
      `The export was ended: nothing of it was taken for ${seconds} s. Try again.`,
    );
  }

  function giveUp(reader: AbortController, note: string, why: string): void {
    standing.delete(reader);
    log.warn(note);
    reader.abort(new Refusal(500, why));
  }

  async function* pass<T>(
    parts: AsyncIterable<T>,
    signal: AbortSignal,
    reader: AbortController,
  ): AsyncGenerator<T, void, undefined> {
    await turn(signal);
    let has = true;
    let timer: NodeJS.Timeout | undefined;
    const stepAside = () => {
      has = false;
      release();
      timer = setTimeout(() => standTooLong(reader), limitMs);
      standAside(reader);
    };
    try {
      for await (const part of parts) {
        timer = setTimeout(stepAside, patienceMs);
        try {
          yield part;
        } finally {
          clearTimeout(timer);
          standing.delete(reader);
        }
        if (!has) {
          await turn(signal);
          has = true;
        }
      }
    } finally {
      if (has) release();
    }
  }

  return {
    take(parts, signal) {
      const reader = new AbortController();
      const either = signal ? AbortSignal.any([signal, reader.signal]) : reader.signal;
      return { parts: pass(parts, either, reader), givenUp: reader.signal };
    },
  };
}
