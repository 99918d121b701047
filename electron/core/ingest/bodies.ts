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
  /** The same, but waits, first come first served, until there is room. */
  wait(bytes: number): Promise<void>;
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
  readonly bytes: number;
  readonly go: () => void;
}

/** `most` bytes in all, `ofSender` of them for one key or token. */
export function createBodies({ most = MOST_BYTES, ofSender = MOST_OF_SENDER } = {}): Bodies {
  let used = 0;
  const bySender = new Map<string, number>();
  const waiting: Waiting[] = [];

  function check(sender: string, bytes: number): void {
    if ((bySender.get(sender) ?? 0) + bytes > ofSender)
      throw new Refusal(
        429,
        'Too much is being stored with this key or token at once. Nothing of this was stored; send it again when the others are done.',
      );
    // Who waits came first.
    if (waiting.length > 0 || used + bytes > most)
      throw new Refusal(
        503,
        'The service has no memory left for more at the moment. Nothing of this was stored; send it again a little later.',
      );
  }

  function letIn(): void {
    for (let [next] = waiting; next !== undefined && used + next.bytes <= most; [next] = waiting) {
      waiting.shift();
      used += next.bytes;
      next.go();
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
      async wait(bytes) {
        if (waiting.length > 0 || used + bytes > most) {
          const { promise, resolve } = Promise.withResolvers<void>();
          waiting.push({ bytes, go: resolve });
          await promise;
        } else used += bytes;
        own += bytes;
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
