import type { Micros, TimeRange } from '#shared/values/time.ts';
import { Lru } from '../../blocks/query/lru.ts';
import { retired } from '../../store-errors.ts';
import type { KeptRecords } from '../../store.ts';
import { Building } from '../rows/building.ts';
import type { Asker, Database } from '../connection/connections.ts';
import { FORGET_KEYS, holdKeys } from '../rows/device-keys.ts';
import { divide, type Division } from './dividing.ts';
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
import { keyOf } from '../rows/key-bytes.ts';
import { SEGMENTS } from '../reading/device-cache.ts';
import type { Place } from '../rows/place.ts';
import { Reading } from '../reading/reading.ts';
import { sealTail } from '../storing/sealing.ts';
import { StoredSegment } from '../rows/segment.ts';
import { blockStatements, counted, segmentStatements } from '../storing/writing.ts';

const ALL_GO =
  'UPDATE segment SET state = 3, gone_at = now(), orphans = NULL WHERE lane = $1 AND device_id = $2 AND state = 1';
const EVERY_GO =
  'UPDATE segment SET state = 3, gone_at = now(), orphans = NULL WHERE lane = $1 AND device_id = $2 AND state < 3';
const SOME_GO =
  'UPDATE segment SET state = 3, gone_at = now(), orphans = $4 WHERE lane = $1 AND device_id = $2 AND segment_id = $3';
const ALL_KEPT = 'UPDATE segment SET state = 2, kept = $3 WHERE lane = $1 AND device_id = $2 AND state = 1';
const SOME_KEPT =
  'UPDATE segment SET state = 2, kept = $4 WHERE lane = $1 AND device_id = $2 AND segment_id = $3';
const KEPT_BACK =
  'UPDATE segment SET state = 1, kept = NULL WHERE lane = $1 AND device_id = $2 AND state = 2 AND kept = $3';
const KEPT_GO =
  'UPDATE segment SET state = 3, kept = NULL, gone_at = now(), orphans = NULL WHERE lane = $1 AND device_id = $2 AND state = 2 AND kept = $3';
const KEEP =
  'INSERT INTO kept (lane, device_id, name, seq, is_purge, purged_at, purged_before) VALUES ($1, $2, $3, $4, $5, $6, $7)';
const KEPT =
  'SELECT name, seq, is_purge, purged_at, purged_before FROM kept WHERE lane = $1 AND device_id = $2 ORDER BY seq';
const KEPT_SPANS =
  'SELECT kept, sum(rows)::bigint AS rows, sum(bytes)::bigint AS bytes, min(first) AS first, max(last) AS last FROM segment WHERE lane = $1 AND device_id = $2 AND state = 2 GROUP BY kept';
const KEPT_SEGMENTS =
  'SELECT segment_id FROM segment WHERE lane = $1 AND device_id = $2 AND state = 2 AND kept = $3';
const KEYS_IN =
  'SELECT DISTINCT key FROM segment_key WHERE lane = $1 AND device_id = $2 AND segment_id = ANY($3::bigint[])';
const NOT_KEPT = 'DELETE FROM kept WHERE lane = $1 AND device_id = $2 AND name = $3';
const NONE_KEPT = 'DELETE FROM kept WHERE lane = $1 AND device_id = $2';
const NO_TAIL = 'DELETE FROM tail WHERE lane = $1 AND device_id = $2';
const NO_RECEIPTS = 'DELETE FROM receipt WHERE lane = $1 AND device_id = $2';

/** Bytes of blocks that a removal reads: those at the ends of a range. */
const READ_BYTES = 1 << 20;

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
    return this.#change(place, async (transaction, locked) => {
      const divided = await this.#divided(transaction, place, locked, range, null);
      return divided.reduce((gone, { inside }) => gone + inside, 0);
    });
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
    const key = [place.lane, place.device];
    return this.#change(place, async (transaction, locked) => {
      const entry = (await transaction.ask(KEPT, key)).find((row) => row['name'] === name);
      if (!entry) return false;
      const sealed = await sealTail(transaction, place, locked, this.#segmentRows);
      const segments = await transaction.ask(KEPT_SEGMENTS, [...key, name]);
      const ids = segments.map((row) => row['segment_id']);
      const rows = await transaction.ask(KEYS_IN, [...key, ids]);
      const keys = new Map(rows.map((row) => [keyOf(row['key'] as Buffer), null]));
      const held = await holdKeys(transaction, place, sealed, keys);
      await transaction.askAll([
        { sql: KEPT_BACK, params: [...key, name] },
        { sql: NOT_KEPT, params: [...key, name] },
      ]);
      const isLast = entry['is_purge'] === true && entry['purged_at'] === locked.purgedAt;
      const purgedAt = isLast ? (entry['purged_before'] as number | null) : locked.purgedAt;
      const head = await counted(transaction, place, held.head);
      await writeHead(transaction, place, { ...revised(head), purgedAt });
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
      { sql: KEEP, params: [...key, name, sealed.nextSeq, true, at, locked.purgedAt] },
      { sql: FORGET_KEYS, params: key },
    ]);
    const head = { ...emptied(sealed), nextSeq: sealed.nextSeq + 1, purgedAt: at };
    await writeHead(transaction, place, head);
  }

  /** Removes the rows of a range; with a name they are kept under it. Writes the head. */
  async #divided(
    transaction: Asker,
    place: Place,
    locked: Head,
    range: TimeRange,
    name: string | null,
  ): Promise<readonly Division[]> {
    const key = [place.lane, place.device];
    const sealed = await sealTail(transaction, place, locked, this.#segmentRows);
    let { nextBlock, nextSeq } = sealed;
    const segments = (await transaction.ask(SEGMENTS, key)).map((row) => new StoredSegment(row));
    // Of a transaction that may yet come to nothing: its blocks are in no cache of others.
    const reading = new Reading(transaction, new Lru(READ_BYTES), place, sealed.epoch);
    const buildings: Building[] = [];
    const divided = await divide(reading, segments, range, name !== null, () => {
      const building = new Building(this.#segmentRows, () => nextBlock++);
      buildings.push(building);
      return building;
    });
    const statements = buildings.flatMap((building) => blockStatements(place, building.takeBlocks()));
    if (name !== null && divided.length > 0)
      statements.push({ sql: KEEP, params: [...key, name, nextSeq++, false, null, null] });
    for (const { segment, parts } of divided) {
      if (parts === null && name !== null) {
        statements.push({ sql: SOME_KEPT, params: [...key, segment.id, name] });
        continue;
      }
      statements.push({ sql: SOME_GO, params: [...key, segment.id, parts?.orphans ?? null] });
      for (const made of parts?.rest ?? [])
        statements.push(...segmentStatements(place, made, { id: nextSeq++, age: segment.age }));
      for (const made of parts?.removed ?? [])
        statements.push(...segmentStatements(place, made, { id: nextSeq++, age: segment.age, kept: name }));
    }
    if (statements.length > 0) await transaction.askAll(statements);
    const head = divided.length > 0 ? revised(await counted(transaction, place, sealed)) : sealed;
    await writeHead(transaction, place, { ...head, nextBlock, nextSeq });
    return divided;
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

async function keptOf(asker: Asker, { lane, device }: Place): Promise<readonly KeptRecords[]> {
  const [entries = [], spans = []] = await asker.askAll([
    { sql: KEPT, params: [lane, device] },
    { sql: KEPT_SPANS, params: [lane, device] },
  ]);
  return entries.map((entry) => {
    const name = entry['name'] as string;
    const span = spans.find((row) => row['kept'] === name);
    if (!span) return nothingKept(name);
    return {
      name,
      records: span['rows'] as number,
      bytes: span['bytes'] as number,
      first: span['first'] as number,
      last: span['last'] as number,
    };
  });
}

const nothingKept = (name: string): KeptRecords => ({ name, records: 0, bytes: 0, first: null, last: null });

/** Whether a head says that nothing may be written. Throws `retired`. */
export function checkRetired(head: Head): void {
  if (head.retiredBy !== null) throw retired();
}
