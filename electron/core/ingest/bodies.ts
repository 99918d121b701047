import { Refusal } from '../errors.ts';

/*
 * Memory of all bodies under way, on all doors (docs/api.md, "Limits"). Who has shown a good key or token may still send
 * more than the machine has room for, alone or together with others.
 */

/** Bytes of all of them, and of those that come with one key or token. */
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_OF_SENDER = 128 * 1024 * 1024;
/** What an import holds on its way, however large its file is. */
export const IMPORT_BYTES = 4 * 1024 * 1024;

export interface Bodies {
  /** Begins a request that holds nothing yet. */
  hold(): HeldMemory;
}

/** What one request holds. */
export interface HeldMemory {
  /**
   * Takes room for more bytes. Throws a Refusal: 429 where `sender`, the hash of a key or token, holds too much, 503 where
   * all together do.
   */
  take(sender: string, bytes: number): void;
  /** The same, but waits until there is room; next is whose key or token holds the least. */
  wait(sender: string, bytes: number): Promise<void>;
  /** Passes a body on and takes room for it as it arrives; one that has no room now is refused before it is read. */
  counted(
    sender: string,
    body: AsyncIterable<Uint8Array>,
    length: number | null,
  ): AsyncGenerator<Uint8Array, void, undefined>;
  /** Gives so many bytes back that were taken for this sender. */
  give(sender: string, bytes: number): void;
  /** Gives all of it back. */
  release(): void;
}

interface Waiting {
  readonly sender: string;
  readonly bytes: number;
  readonly go: () => void;
}

/** `most` bytes in all, `ofSender` of them for one key or token. */
export function createBodies({ most = MOST_BYTES, ofSender = MOST_OF_SENDER } = {}): Bodies {
  let used = 0;
  const bySender = new Map<string, number>();
  const waiting = new Set<Waiting>();

  const held = (sender: string) => bySender.get(sender) ?? 0;

  /** The first one of the sender that holds the least, of those that need not wait for themselves; null where all do. */
  function next(): Waiting | null {
    let found: Waiting | null = null;
    const seen = new Set<string>();
    for (const one of waiting) {
      if (seen.has(one.sender)) continue;
      seen.add(one.sender);
      const isAlone = held(one.sender) + one.bytes > ofSender;
      if (!isAlone && (found === null || held(one.sender) < held(found.sender))) found = one;
    }
    return found;
  }

  function check(sender: string, bytes: number): void {
    if (held(sender) + bytes > ofSender)
      throw new Refusal(
        429,
        'Too much is being stored with this key or token at once. Nothing of this was stored; send it again when the others are done.',
      );
    // Who waits came first.
    if (next() !== null || used + bytes > most)
      throw new Refusal(
        503,
        'The service has no memory left for more at the moment. Nothing of this was stored; send it again a little later.',
      );
  }

  function letIn(): void {
    for (let one = next(); one !== null && used + one.bytes <= most; one = next()) {
      waiting.delete(one);
      used += one.bytes;
      count(bySender, one.sender, one.bytes);
      one.go();
    }
  }

  function hold(): HeldMemory {
    let own = 0;
    const ofWhom = new Map<string, number>();

    function take(sender: string, bytes: number): void {
      check(sender, bytes);
      used += bytes;
      own += bytes;
      count(bySender, sender, bytes);
      count(ofWhom, sender, bytes);
    }

    return {
      take,
      async wait(sender, bytes) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add({ sender, bytes, go: resolve });
        letIn();
        await promise;
        own += bytes;
        count(ofWhom, sender, bytes);
      },
      async *counted(sender, body, length) {
        check(sender, length ?? 0);
        for await (const piece of body) {
          take(sender, piece.byteLength);
          yield piece;
        }
      },
      give(sender, bytes) {
        used -= bytes;
        own -= bytes;
        count(bySender, sender, -bytes);
        count(ofWhom, sender, -bytes);
        letIn();
      },
      release() {
        used -= own;
        own = 0;
        for (const [sender, bytes] of ofWhom) count(bySender, sender, -bytes);
        ofWhom.clear();
        letIn();
      },
    };
  }

  return { hold };
}

function count(holders: Map<string, number>, sender: string, bytes: number): void {
  const now = (holders.get(sender) ?? 0) + bytes;
  if (now > 0) holders.set(sender, now);
  else holders.delete(sender);
}
