import type { Micros, TimeRange } from '#shared/values/time.ts';
import { Lru } from '../../blocks/query/lru.ts';
import type { KeptRecords } from '../../store.ts';
import type { Asker, Statement } from '../connection/connections.ts';
import { SEGMENTS } from '../reading/device-cache.ts';
import { Reading } from '../reading/reading.ts';
import { Building } from '../rows/building.ts';
import type { FirstKeys } from '../rows/device-keys.ts';
import type { Head } from '../rows/head.ts';
import { keyOf } from '../rows/key-bytes.ts';
import type { Place } from '../rows/place.ts';
import { StoredSegment } from '../rows/segment.ts';
import { blockStatements, segmentStatements } from './writing.ts';
import { divide } from './dividing.ts';

/* What removes records, keeps them and puts them back: statements for a transaction that has locked the head. */

const SOME_GO =
  'UPDATE segment SET state = 3, gone_at = now(), orphans = $4 WHERE lane = $1 AND device_id = $2 AND segment_id = $3';
const SOME_KEPT =
  'UPDATE segment SET state = 2, kept = $4 WHERE lane = $1 AND device_id = $2 AND segment_id = $3';
const KEPT_BACK =
  'UPDATE segment SET state = 1, kept = NULL WHERE lane = $1 AND device_id = $2 AND state = 2 AND kept = $3';
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
export const NOT_KEPT = 'DELETE FROM kept WHERE lane = $1 AND device_id = $2 AND name = $3';

/** Bytes of blocks that a removal reads: those at the ends of a range. */
const READ_BYTES = 1 << 20;

/** Removal that is yet to be made. */
export interface Taken {
  /** How many records lie in the range. */
  readonly rows: number;
  readonly statements: readonly Statement[];
  /** The head with the numbers that it takes; what it counts is as before. */
  readonly head: Head;
}

/** Resolves with what removes the records of a range; with a name they are kept under it. The tail is empty. */
export async function takeRange(
  transaction: Asker,
  place: Place,
  sealed: Head,
  {
    range,
    name,
    segmentRows,
  }: { readonly range: TimeRange; readonly name: string | null; readonly segmentRows: number },
): Promise<Taken> {
  const key = [place.lane, place.device];
  let { nextBlock, nextSeq } = sealed;
  const segments = (await transaction.ask(SEGMENTS, key)).map((row) => new StoredSegment(row));
  // Of a transaction that may yet come to nothing: its blocks are in no cache of others.
  const reading = new Reading(transaction, new Lru(READ_BYTES), place, sealed.epoch);
  const buildings: Building[] = [];
  const divided = await divide(reading, segments, range, name !== null, () => {
    const building = new Building(segmentRows, () => nextBlock++);
    buildings.push(building);
    return building;
  });
  const statements = buildings.flatMap((building) => blockStatements(place, building.takeBlocks()));
  if (name !== null && divided.length > 0) statements.push(keepAs(place, name, nextSeq++, null));
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
  const rows = divided.reduce((sum, { inside }) => sum + inside, 0);
  return { rows, statements, head: { ...sealed, nextBlock, nextSeq } };
}

/** Returns the statement that notes a soft delete; `purge` null for one of a range. */
export function keepAs(
  { lane, device }: Place,
  name: string,
  seq: number,
  purge: { readonly at: Micros; readonly before: Micros | null } | null,
): Statement {
  const { at = null, before = null } = purge ?? {};
  return { sql: KEEP, params: [lane, device, name, seq, purge !== null, at, before] };
}

/** Soft delete that is yet to be put back. */
export interface Back {
  readonly keys: FirstKeys;
  readonly statements: readonly Statement[];
  /** Returns when the device was purged, once it is back. */
  readonly purgedAt: (head: Head) => Micros | null;
}

/** Resolves with what puts a soft delete back; null where nothing is kept under the name. */
export async function findKept(transaction: Asker, place: Place, name: string): Promise<Back | null> {
  const key = [place.lane, place.device];
  const entry = (await transaction.ask(KEPT, key)).find((row) => row['name'] === name);
  if (!entry) return null;
  const segments = await transaction.ask(KEPT_SEGMENTS, [...key, name]);
  const rows = await transaction.ask(KEYS_IN, [...key, segments.map((row) => row['segment_id'])]);
  return {
    keys: new Map(rows.map((row) => [keyOf(row['key'] as Buffer), null])),
    statements: [KEPT_BACK, NOT_KEPT].map((sql) => ({ sql, params: [...key, name] })),
    purgedAt: ({ purgedAt }) => {
      const isLast = entry['is_purge'] === true && entry['purged_at'] === purgedAt;
      return isLast ? (entry['purged_before'] as Micros | null) : purgedAt;
    },
  };
}

/** Oldest first. */
export async function keptOf(asker: Asker, { lane, device }: Place): Promise<readonly KeptRecords[]> {
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

export const nothingKept = (name: string): KeptRecords => ({
  name,
  records: 0,
  bytes: 0,
  first: null,
  last: null,
});
