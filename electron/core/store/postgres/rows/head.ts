import type { Micros } from '#shared/values/time.ts';
import { systemRandom } from '../../../base/system-random.ts';
import { retired } from '../../store-errors.ts';
import type { Asker, DatabaseRow } from '../connection/connections.ts';
import { LockLost } from '../connection/database-errors.ts';
import type { Place } from './place.ts';

/** Head: the row of a device (schema.sql, device_head). */
export interface Head {
  readonly epoch: number;
  readonly retiredBy: string | null;
  readonly isDropped: boolean;
  readonly version: number;
  readonly nextSeq: number;
  readonly nextBlock: number;
  readonly rows: number;
  readonly bytes: number;
  readonly first: Micros | null;
  readonly last: Micros | null;
  readonly tailRows: number;
  readonly lastSeen: Micros | null;
  readonly purgedAt: Micros | null;
  readonly keyEpoch: number;
  /** Goes up with each batch that is committed, and each time that records are removed or put back. */
  readonly revision: number;
  /** What it was when it was locked; absent where it was not. */
  readonly locked?: Head;
}

const COLUMNS =
  'device_id, epoch, retired_by, dropped, version, next_seq, next_block, rows, bytes, first, last, tail_rows, last_seen, purged_at, key_epoch, revision';
export const HEAD = `SELECT ${COLUMNS} FROM device_head WHERE lane = $1 AND device_id = $2`;
export const HEADS = `SELECT ${COLUMNS} FROM device_head WHERE lane = $1 AND device_id = ANY($2::text[])`;
/** Of one PostgreSQL: Citus would ask every shard. */
export const HEADS_OF_LANES = `SELECT ${COLUMNS} FROM device_head JOIN unnest($1::smallint[], $2::text[]) AS t(lane, device_id) USING (lane, device_id)`;
const LOCK = `${HEAD} FOR UPDATE`;
const MAKE =
  'INSERT INTO device_head (lane, device_id, epoch) VALUES ($1, $2, $3) ON CONFLICT (lane, device_id) DO NOTHING';
const WRITE = `UPDATE device_head SET epoch = $3, retired_by = $4, dropped = $5, version = $6, next_seq = $7, next_block = $8,
    rows = $9, bytes = $10, first = $11, last = $12, tail_rows = $13, last_seen = $14, purged_at = $15, key_epoch = $16, revision = $17,
    changed = now()
  WHERE lane = $1 AND device_id = $2 AND epoch = $18 AND version = $19 AND next_seq = $20 AND revision = $21
    AND retired_by IS NOT DISTINCT FROM $22::uuid AND next_block = $23 AND key_epoch = $24
  RETURNING device_id`;

/** Head of a device without any history. */
export const NO_HEAD: Head = {
  epoch: 0,
  retiredBy: null,
  isDropped: false,
  version: 0,
  nextSeq: 1,
  nextBlock: 1,
  rows: 0,
  bytes: 0,
  first: null,
  last: null,
  tailRows: 0,
  lastSeen: null,
  purgedAt: null,
  keyEpoch: 0,
  revision: 0,
};

/** Returns the head after a change of the records, not of upkeep alone. */
export const revised = (head: Head): Head => ({
  ...head,
  version: head.version + 1,
  revision: head.revision + 1,
});

/** Epochs are told apart by chance. */
export const newEpoch = () => Math.floor(systemRandom.number() * 2 ** 47);

export function headOf(row: DatabaseRow | undefined): Head {
  if (!row) return NO_HEAD;
  const at = (name: string) => row[name] as number;
  const maybe = (name: string) => row[name] as number | null;
  return {
    epoch: at('epoch'),
    retiredBy: row['retired_by'] as string | null,
    isDropped: row['dropped'] as boolean,
    version: at('version'),
    nextSeq: at('next_seq'),
    nextBlock: at('next_block'),
    rows: at('rows'),
    bytes: at('bytes'),
    first: maybe('first'),
    last: maybe('last'),
    tailRows: at('tail_rows'),
    lastSeen: maybe('last_seen'),
    purgedAt: maybe('purged_at'),
    keyEpoch: at('key_epoch'),
    revision: at('revision'),
  };
}

/** Resolves with the head, made where there was none; until the end of the transaction no other writes to the device. */
export async function lockHead(asker: Asker, { lane, device }: Place): Promise<Head> {
  const [, rows = []] = await asker.askAll([
    { sql: MAKE, params: [lane, device, newEpoch()] },
    { sql: LOCK, params: [lane, device] },
  ]);
  const locked = headOf(rows[0]);
  return { ...locked, locked };
}

/** Locks the head for a write: a dropped device begins again. Rejects with `retired`. */
export async function lockToWrite(asker: Asker, place: Place): Promise<Head> {
  const head = await lockHead(asker, place);
  if (head.retiredBy !== null) throw retired();
  return head.isDropped ? { ...head, isDropped: false } : head;
}

/** Writes what a transaction made of the head that it locked, once. Rejects with LockLost where that is another one by now. */
export async function writeHead(asker: Asker, { lane, device }: Place, head: Head): Promise<void> {
  const { locked } = head;
  if (!locked) throw new TypeError('a head that was not locked is written');
  const written = await asker.ask(WRITE, [
    lane,
    device,
    head.epoch,
    head.retiredBy,
    head.isDropped,
    head.version,
    head.nextSeq,
    head.nextBlock,
    head.rows,
    head.bytes,
    head.first,
    head.last,
    head.tailRows,
    head.lastSeen,
    head.purgedAt,
    head.keyEpoch,
    head.revision,
    locked.epoch,
    locked.version,
    locked.nextSeq,
    locked.revision,
    locked.retiredBy,
    locked.nextBlock,
    locked.keyEpoch,
  ]);
  if (written.length === 0) throw new LockLost('the head of a device was changed under its lock');
}
