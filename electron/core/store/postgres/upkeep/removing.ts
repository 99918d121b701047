import type { Micros, TimeRange } from '#shared/values/time.ts';
import { retired } from '../../store-errors.ts';
import type { KeptRecords } from '../../store.ts';
import type { Asker, Database } from '../connection/connections.ts';
import { FORGET_KEYS, holdKeys } from '../rows/device-keys.ts';
import {
  HEAD,
  headOf,
  lockHead,
  lockToWrite,
  newEpoch,
  NO_HEAD,
  writeHead,
  revised,
  type Head,
} from '../rows/head.ts';
import type { Place } from '../rows/place.ts';
import { sealTail } from '../storing/sealing.ts';
import { counted } from '../storing/writing.ts';
import { findKept, keepAs, keptOf, NOT_KEPT, nothingKept, takeRange } from '../storing/soft-deletes.ts';

const ALL_GO =
  'UPDATE segment SET state = 3, gone_at = now(), orphans = NULL WHERE lane = $1 AND device_id = $2 AND state = 1';
const EVERY_GO =
  'UPDATE segment SET state = 3, gone_at = now(), orphans = NULL WHERE lane = $1 AND device_id = $2 AND state < 3';
const ALL_KEPT = 'UPDATE segment SET state = 2, kept = $3 WHERE lane = $1 AND device_id = $2 AND state = 1';
const KEPT_GO =
  'UPDATE segment SET state = 3, kept = NULL, gone_at = now(), orphans = NULL WHERE lane = $1 AND device_id = $2 AND state = 2 AND kept = $3';
const NONE_KEPT = 'DELETE FROM kept WHERE lane = $1 AND device_id = $2';
const NO_TAIL = 'DELETE FROM tail WHERE lane = $1 AND device_id = $2';
const NO_RECEIPTS = 'DELETE FROM receipt WHERE lane = $1 AND device_id = $2';

/** Removes records, by which rows count; blocks go later (garbage-collection.ts). Each is one transaction under the device's lock. */
export class Removing {
  readonly #database: Database;
  readonly #segmentRows: number;

  constructor(database: Database, segmentRows: number) {
    this.#database = database;
    this.#segmentRows = segmentRows;
  }

  /** Resolves with how many records went. Rejects with `retired`. */
  purge(place: Place, at: Micros): Promise<number> {
    return this.#change(place, async (transaction, head) => {
      const key = [place.lane, place.device];
      await transaction.askAll([ALL_GO, NO_TAIL, FORGET_KEYS].map((sql) => ({ sql, params: key })));
      await writeHead(transaction, place, { ...emptied(head), purgedAt: at });
      return head.rows;
    });
  }

  /** Resolves with how many records went. Rejects with `retired`. */
  range(place: Place, range: TimeRange): Promise<number> {
    return this.#change(place, (transaction, locked) =>
      this.#divided(transaction, place, locked, range, null),
    );
  }

  /** Resolves with what is kept under the name. Rejects with `retired`. */
  keep(
    place: Place,
    name: string,
    removal: { readonly range: TimeRange } | { readonly at: Micros },
  ): Promise<KeptRecords> {
    return this.#change(place, async (transaction, locked) => {
      const known = await keptOf(transaction, place);
      const before = known.find((each) => each.name === name);
      if (before) return before;
      if ('at' in removal) await this.#keepAll(transaction, place, locked, name, removal.at);
      else await this.#divided(transaction, place, locked, removal.range, name);
      const kept = await keptOf(transaction, place);
      return kept.find((each) => each.name === name) ?? nothingKept(name);
    });
  }

  /** Resolves with false where nothing is kept under the name. Rejects with KeyLimitReached, and with `retired`. */
  restore(place: Place, name: string): Promise<boolean> {
    return this.#change(place, async (transaction, locked) => {
      const back = await findKept(transaction, place, name);
      if (back === null) return false;
      const sealed = await sealTail(transaction, place, locked, this.#segmentRows);
      const held = await holdKeys(transaction, place, sealed, back.keys);
      await transaction.askAll(back.statements);
      const head = await counted(transaction, place, held.head);
      await writeHead(transaction, place, { ...revised(head), purgedAt: back.purgedAt(locked) });
      return true;
    });
  }

  /** Resolves with false where nothing is kept under the name. */
  discard(place: Place, name: string): Promise<boolean> {
    const params = [place.lane, place.device, name];
    return this.#database.change(
      async (transaction) => {
        const head = headOf((await transaction.ask(`${HEAD} FOR UPDATE`, params.slice(0, 2)))[0]);
        if (head === NO_HEAD) return false;
        const isKept = (await keptOf(transaction, place)).some((each) => each.name === name);
        await transaction.askAll([
          { sql: KEPT_GO, params },
          { sql: NOT_KEPT, params },
        ]);
        return isKept;
      },
      { lane: place.lane },
    );
  }

  /** Oldest first. */
  kept(place: Place): Promise<readonly KeptRecords[]> {
    return this.#database.snapshot((asker) => keptOf(asker, place));
  }

  /** Removes every trace of a device but the row that says so, for a while. */
  async drop(place: Place): Promise<number> {
    const key = [place.lane, place.device];
    const [found] = await this.#database.ask(HEAD, key);
    if (!found) return 0;
    return this.#database.change(
      async (transaction) => {
        const head = await lockHead(transaction, place);
        const all = [EVERY_GO, NO_TAIL, FORGET_KEYS, NO_RECEIPTS, NONE_KEPT];
        await transaction.askAll(all.map((sql) => ({ sql, params: key })));
        const epoch = newEpoch();
        const gone = { ...emptied(head), epoch, isDropped: true, lastSeen: null, purgedAt: null };
        await writeHead(transaction, place, gone);
        return head.rows;
      },
      { lane: place.lane },
    );
  }

  /** From now on nothing is stored; resolves when nothing is under way. `by`: the store that says so. */
  async retire(place: Place, by: string): Promise<void> {
    await this.#database.change(
      async (transaction) => {
        const head = await lockHead(transaction, place);
        if (head.retiredBy === null) await writeHead(transaction, place, { ...head, retiredBy: by });
      },
      { lane: place.lane },
    );
  }

  async revive(place: Place): Promise<void> {
    await this.#database.change(
      async (transaction) => {
        const head = await lockHead(transaction, place);
        if (head.retiredBy !== null) await writeHead(transaction, place, { ...head, retiredBy: null });
      },
      { lane: place.lane },
    );
  }

  async #keepAll(transaction: Asker, place: Place, locked: Head, name: string, at: Micros): Promise<void> {
    const key = [place.lane, place.device];
    const sealed = await sealTail(transaction, place, locked, this.#segmentRows);
    await transaction.askAll([
      { sql: ALL_KEPT, params: [...key, name] },
      keepAs(place, name, sealed.nextSeq, { at, before: locked.purgedAt }),
      { sql: FORGET_KEYS, params: key },
    ]);
    const head = { ...emptied(sealed), nextSeq: sealed.nextSeq + 1, purgedAt: at };
    await writeHead(transaction, place, head);
  }

  /** Removes the rows of a range; with a name they are kept under it. Writes the head. Resolves with how many went. */
  async #divided(
    transaction: Asker,
    place: Place,
    locked: Head,
    range: TimeRange,
    name: string | null,
  ): Promise<number> {
    const segmentRows = this.#segmentRows;
    const sealed = await sealTail(transaction, place, locked, segmentRows);
    const taken = await takeRange(transaction, place, sealed, { range, name, segmentRows });
    if (taken.statements.length > 0) await transaction.askAll(taken.statements);
    const head = taken.rows > 0 ? revised(await counted(transaction, place, taken.head)) : sealed;
    await writeHead(transaction, place, head);
    return taken.rows;
  }

  #change<T>(place: Place, work: (transaction: Asker, head: Head) => Promise<T>): Promise<T> {
    return this.#database.change(
      async (transaction) => work(transaction, await lockToWrite(transaction, place)),
      { lane: place.lane },
    );
  }
}

/** The head of a device all of whose records went. */
function emptied(head: Head): Head {
  return {
    ...revised(head),
    keyEpoch: head.keyEpoch + 1,
    rows: 0,
    bytes: 0,
    first: null,
    last: null,
    tailRows: 0,
  };
}

/** Whether a head says that nothing may be written. Throws `retired`. */
export function checkRetired(head: Head): void {
  if (head.retiredBy !== null) throw retired();
}
