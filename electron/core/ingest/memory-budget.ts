import { Refusal } from '../base/errors.ts';
import type { StoredDevice } from '../store/metadata/metadata-schema.ts';
import { addTo } from './sums.ts';

/*
 * Memory budget of all bodies under way, on all doors (docs/running.md, "Limits"): senders with a good key or token may still
 * send more than the machine has room for, alone or together.
 */

/** Bytes of all of them, and of those that come with one key or of one device. */
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_OF_SENDER = 128 * 1024 * 1024;
/** Bytes of one project: a key that makes devices has all their tokens, and must leave something to other projects. */
const MOST_OF_GROUP = 192 * 1024 * 1024;
/** Bytes reserved by an import, however large its file is. */
export const IMPORT_BYTES = 4 * 1024 * 1024;

/** The sender of a body, however a header names it. */
export interface Asker {
  /** Of an API key or a device. */
  readonly id: string;
  /** The project of a device, and of a key that is limited to it; the account of any other key. */
  readonly group: string;
}

export const askerOfDevice = ({ id, project_id }: Pick<StoredDevice, 'id' | 'project_id'>): Asker => ({
  id,
  group: project_id,
});

/** Id of all windows of the owner. */
const OWNER = 'owner';

/** The asker of a principal (core/api/call.ts). */
export function askerOfPrincipal({
  key_id,
  account_id,
  project_ids,
}: {
  readonly key_id: string | null;
  readonly account_id: string;
  readonly project_ids: ReadonlySet<string> | null;
}): Asker {
  const [project, ...others] = project_ids ?? [];
  return { id: key_id ?? OWNER, group: project !== undefined && others.length === 0 ? project : account_id };
}

export interface MemoryBudget {
  /** Returns an empty reservation, for one request. */
  hold(): MemoryReservation;
}

/** Reservation of one request. */
export interface MemoryReservation {
  /**
   * Reserves more bytes. Throws a Refusal: 429 where `asker`, or its group, holds too much, 503 where all together do.
   */
  take(asker: Asker, bytes: number): void;
  /** Resolves once there is room for more bytes; the key or device that holds the least is next. */
  wait(asker: Asker, bytes: number): Promise<void>;
  /** Passes a body on and reserves room as it arrives; a body without room now is refused before it is read. */
  counted(
    asker: Asker,
    body: AsyncIterable<Uint8Array>,
    length: number | null,
  ): AsyncGenerator<Uint8Array, void, undefined>;
  /** Releases so many bytes of this asker. */
  give(asker: Asker, bytes: number): void;
  /** Releases all of it. */
  release(): void;
}

interface Waiting {
  readonly asker: Asker;
  readonly bytes: number;
  readonly go: () => void;
}

/** `most` bytes in all, `ofSender` of them for one key or device, `ofGroup` for all of one project. */
export function createMemoryBudget({
  most = MOST_BYTES,
  ofSender = MOST_OF_SENDER,
  ofGroup = Math.min(most, MOST_OF_GROUP),
} = {}): MemoryBudget {
  let used = 0;
  const bySender = new Map<string, number>();
  const byGroup = new Map<string, number>();
  /** By the ids of their askers, first come first served. */
  const waiting = new Map<string, Set<Waiting>>();

  const held = ({ id }: Asker) => bySender.get(id) ?? 0;

  function change(asker: Asker, bytes: number): void {
    used += bytes;
    addTo(bySender, asker.id, bytes);
    addTo(byGroup, asker.group, bytes);
  }

  /** Whether it would hold too much, whatever all others do. */
  const isTooMuch = (asker: Asker, bytes: number) =>
    held(asker) + bytes > ofSender || (byGroup.get(asker.group) ?? 0) + bytes > ofGroup;

  /** The first one of the sender that holds the least, of those that need not wait for their own; null where all do. */
  function next(): Waiting | null {
    let found: Waiting | null = null;
    for (const [one] of waiting.values()) {
      if (one === undefined || isTooMuch(one.asker, one.bytes)) continue;
      if (found === null || held(one.asker) < held(found.asker)) found = one;
    }
    return found;
  }

  function check(asker: Asker, bytes: number): void {
    if (isTooMuch(asker, bytes))
      throw new Refusal(
        429,
        'Too much is being stored at once with this key or token, or with all of its project. Nothing of this was stored; send it again when the others are done.',
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
      const ofAsker = waiting.get(one.asker.id);
      ofAsker?.delete(one);
      if (ofAsker?.size === 0) waiting.delete(one.asker.id);
      change(one.asker, one.bytes);
      one.go();
    }
  }

  function hold(): MemoryReservation {
    const own = new Map<string, { readonly asker: Asker; bytes: number }>();

    function note(asker: Asker, bytes: number): void {
      const noted = own.get(asker.id);
      if (noted) noted.bytes += bytes;
      else own.set(asker.id, { asker, bytes });
    }

    function take(asker: Asker, bytes: number): void {
      check(asker, bytes);
      change(asker, bytes);
      note(asker, bytes);
    }

    return {
      take,
      async wait(asker, bytes) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const ofAsker = waiting.get(asker.id) ?? new Set();
        waiting.set(asker.id, ofAsker.add({ asker, bytes, go: resolve }));
        letIn();
        await promise;
        note(asker, bytes);
      },
      async *counted(asker, body, length) {
        check(asker, length ?? 0);
        for await (const piece of body) {
          take(asker, piece.byteLength);
          yield piece;
        }
      },
      give(asker, bytes) {
        // Its group, as it was when it was taken: a device may have moved.
        change(own.get(asker.id)?.asker ?? asker, -bytes);
        note(asker, -bytes);
        letIn();
      },
      release() {
        for (const { asker, bytes } of own.values()) change(asker, -bytes);
        own.clear();
        letIn();
      },
    };
  }

  return { hold };
}
