import { Refusal } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { Gate } from '../turns/gate.ts';

/**
 * Turns of work that a reader takes piece by piece, so that any number may ask at once and memory stays bounded: some
 * run, the others wait, and next is whose key has the fewest turns. A reader who takes nothing for a while steps aside and
 * waits for another turn when it comes back; of those who stand aside too many, the longest is given up, of the key that has
 * the most there, and so is who stands there too long.
 */
export interface Turns {
  /** Passes the parts on in turns of an API key, null for the owner. Rejects with the signal's reason, also while it waits. */
  take<T>(parts: AsyncIterable<T>, key_id: string | null, signal?: AbortSignal): InTurn<T>;
}

export interface InTurn<T> {
  readonly parts: AsyncGenerator<T, void, undefined>;
  /** Fires when the reader is given up: what it has got is no whole. */
  readonly givenUp: AbortSignal;
}

export interface TurnsOptions {
  /** Turns at once, and those of one API key. */
  readonly most: number;
  readonly mostOfOne: number;
  /** Readers that may stand aside; what they were given stays in memory. */
  readonly aside: number;
  /** ms after which a reader that takes nothing steps aside. */
  readonly patienceMs: number;
  /** ms after which a reader that stands aside is given up: what it is read from cannot be removed before. */
  readonly limitMs: number;
  readonly log: Pick<Logger, 'warn'>;
}

/** One that reads, or does not. */
interface Reader {
  readonly key_id: string | null;
  readonly end: AbortController;
}

export function createTurns({ most, mostOfOne, aside, patienceMs, limitMs, log }: TurnsOptions): Turns {
  const gate = new Gate(most, mostOfOne);
  /** The longest first. */
  const standing = new Set<Reader>();

  function standAside(reader: Reader): void {
    standing.add(reader);
    if (standing.size <= aside) return;
    giveUp(
      longestOfMost(standing),
      'An export was ended: its reader took nothing, and too many others did not either.',
      'The export was ended: nothing of it was taken while others waited. Try again.',
    );
  }

  function standTooLong(reader: Reader): void {
    const seconds = Math.round(limitMs / 1000);
    giveUp(
      reader,
      `An export was ended: its reader took nothing for ${seconds} s.`,
      `The export was ended: nothing of it was taken for ${seconds} s. Try again.`,
    );
  }

  function giveUp(reader: Reader, note: string, why: string): void {
    standing.delete(reader);
    log.warn(note);
    reader.end.abort(new Refusal(500, why));
  }

  async function* pass<T>(
    parts: AsyncIterable<T>,
    signal: AbortSignal,
    reader: Reader,
  ): AsyncGenerator<T, void, undefined> {
    const lane = gate.of(reader.key_id);
    await lane.enter(signal);
    let has = true;
    let timer: NodeJS.Timeout | undefined;
    const stepAside = () => {
      has = false;
      lane.leave();
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
          await lane.enter(signal);
          has = true;
        }
      }
    } finally {
      if (has) lane.leave();
    }
  }

  return {
    take(parts, key_id, signal) {
      const end = new AbortController();
      const either = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
      return { parts: pass(parts, either, { key_id, end }), givenUp: end.signal };
    },
  };
}

/** Of the key that has the most of them, the first; there is one at least. */
function longestOfMost(standing: ReadonlySet<Reader>): Reader {
  const byKey = new Map<string | null, Reader[]>();
  for (const reader of standing) byKey.set(reader.key_id, [...(byKey.get(reader.key_id) ?? []), reader]);
  const [[longest]] = [...byKey.values()].toSorted((a, b) => b.length - a.length) as [[Reader]];
  return longest;
}
