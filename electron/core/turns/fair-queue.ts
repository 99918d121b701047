import { Refusal } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import { FairSemaphore } from './semaphore.ts';
import { until } from './until.ts';

/**
 * Fair queue of work that passes piece by piece from a sender to a reader, one of whom may be slow, so that any number may ask
 * at once and memory stays bounded: some run, the others wait, and next is whose key has the fewest turns. Who takes, or sends,
 * nothing for a while steps aside and waits for another turn when it comes back; of those who stand aside too many, the
 * longest is given up, of the key that has the most there, and so is who stands there too long.
 */
export interface FairQueue {
  /** Passes the parts on in turns of an API key, null for the owner. Rejects with the signal's reason, also while it waits. */
  take<T>(parts: AsyncIterable<T>, key_id: string | null, signal?: AbortSignal): Queued<T>;
}

export interface Queued<T> {
  readonly parts: AsyncGenerator<T, void, undefined>;
  /** Fires when the slow one is given up: what has passed is no whole. */
  readonly givenUp: AbortSignal;
}

export interface FairQueueOptions {
  /** The side that may be slow: the reader of an export, or the sender of a file. */
  readonly slow: keyof typeof WORDS;
  /** Turns at once, and those of one API key. */
  readonly most: number;
  readonly mostOfOne: number;
  /** How many may stand aside; what has passed of theirs stays in memory. */
  readonly aside: number;
  /** ms after which who takes or sends nothing steps aside. */
  readonly patienceMs: number;
  /** ms after which who stands aside is given up: what is read cannot be removed before, and what is stored takes room. */
  readonly limitMs: number;
  readonly log: Pick<Logger, 'warn'>;
}

/** Exports at once: enough to keep the threads busy, few enough for a small machine's memory. */
export const EXPORTS = {
  slow: 'reader',
  most: 4,
  mostOfOne: 3,
  aside: 32,
  patienceMs: 2000,
  limitMs: 60_000,
} as const;

/** Files that are read at once: some MB each, and several times that where a file has hundreds of keys. */
export const FILES = {
  slow: 'sender',
  most: 4,
  mostOfOne: 2,
  aside: 16,
  patienceMs: 2000,
  limitMs: 300_000,
} as const;

const WORDS = {
  reader: { one: 'An export', the: 'The export', did: 'its reader took nothing', was: 'taken' },
  sender: {
    one: 'The look at a file',
    the: 'The look at the file',
    did: 'its sender sent nothing',
    was: 'sent',
  },
} as const;

/** One that takes or sends, or does not. */
interface Slow {
  readonly key_id: string | null;
  readonly end: AbortController;
}

export function createFairQueue({
  slow,
  most,
  mostOfOne,
  aside,
  patienceMs,
  limitMs,
  log,
}: FairQueueOptions): FairQueue {
  const semaphore = new FairSemaphore(most, mostOfOne);
  const { one: anyOne, the, did, was } = WORDS[slow];
  /** The longest first. */
  const standing = new Set<Slow>();

  function standAside(one: Slow): void {
    standing.add(one);
    if (standing.size <= aside) return;
    giveUp(
      longestOfMost(standing),
      `${did}, and too many others did not either`,
      `nothing of it was ${was} while others waited`,
    );
  }

  function standTooLong(one: Slow): void {
    const seconds = Math.round(limitMs / 1000);
    giveUp(one, `${did} for ${seconds} s`, `nothing of it was ${was} for ${seconds} s`);
  }

  function giveUp(one: Slow, note: string, why: string): void {
    standing.delete(one);
    log.warn(`${anyOne} was ended: ${note}.`);
    one.end.abort(new Refusal(500, `${the} was ended: ${why}. Try again.`));
  }

  async function* pass<T>(
    parts: AsyncIterable<T>,
    signal: AbortSignal,
    one: Slow,
  ): AsyncGenerator<T, void, undefined> {
    const turns = semaphore.of(one.key_id);
    await turns.acquire(signal);
    let has = true;
    let timer: NodeJS.Timeout | undefined;
    const stepAside = () => {
      has = false;
      turns.release();
    };
    const waits = () => {
      timer = machineClock.after(patienceMs, () => {
        stepAside();
        timer = machineClock.after(limitMs, () => standTooLong(one));
        standAside(one);
      });
    };
    /** Steps aside after a while: the receiver of a file may hang, which is no fault of others, and is seen to where it runs. */
    const works = () => (timer = machineClock.after(patienceMs, stepAside));
    const isBack = () => {
      clearTimeout(timer);
      standing.delete(one);
    };
    const inTurn = async () => {
      if (has) return;
      await turns.acquire(signal);
      has = true;
    };
    const source = parts[Symbol.asyncIterator]();
    try {
      for (;;) {
        if (slow === 'sender') waits();
        const next = await source.next();
        isBack();
        await inTurn();
        if (next.done === true) return;
        if (slow === 'reader') waits();
        else works();
        yield next.value;
        isBack();
        await inTurn();
      }
    } finally {
      isBack();
      try {
        await source.return?.();
      } finally {
        if (has) turns.release();
      }
    }
  }

  return {
    take(parts, key_id, signal) {
      const end = new AbortController();
      const either = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
      // A sender that is quiet does not hear that it was given up.
      const told = slow === 'sender' ? until(either, parts) : parts;
      return { parts: pass(told, either, { key_id, end }), givenUp: end.signal };
    },
  };
}

/** Of the key that has the most of them, the first; there is one at least. */
function longestOfMost(standing: ReadonlySet<Slow>): Slow {
  const byKey = new Map<string | null, Slow[]>();
  for (const one of standing) byKey.set(one.key_id, [...(byKey.get(one.key_id) ?? []), one]);
  const [[longest]] = [...byKey.values()].toSorted((a, b) => b.length - a.length) as [[Slow]];
  return longest;
}
