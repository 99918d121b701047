import type { MonotonicMs } from '../../../base/machine-clock.ts';
import type { Database, DatabaseRow } from '../connection/connections.ts';

/** Append to lanes (shards): a device each place, in the order of lanes and of their ids. */
export interface Appended {
  readonly lanes: readonly number[];
  readonly devices: readonly string[];
  readonly keyEpochs: readonly number[];
  readonly rows: readonly number[];
  readonly received: readonly number[];
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly kinds: readonly number[];
  readonly entries: readonly Buffer[];
  readonly receipts: readonly (string | null)[];
}

export interface GroupOptions {
  /** Until when somebody waits for it. */
  readonly untilMs: MonotonicMs;
  /** ms that it waits for the lock of a device; null for as long as a statement may take. */
  readonly lockMs: number | null;
}

/**
 * Of several lanes: of one PostgreSQL alone. The first part sets how long the locks of the second one are waited for. No part joins
 * two others: the planner takes them for short, and would compare each row with each.
 */
const APPEND = `WITH i AS MATERIALIZED (
    SELECT t.* FROM set_config('lock_timeout', $12, true), unnest($1::smallint[], $2::text[], $3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[], $8::smallint[], $9::bytea[], $10::text[])
      AS t(lane, device_id, known_epoch, new_rows, received, earliest, latest, kind, entry, receipt)),
  l AS MATERIALIZED (
    SELECT i.*, h.retired_by, h.dropped, h.key_epoch, h.next_seq
    FROM i JOIN device_head h ON h.lane = i.lane AND h.device_id = i.device_id
    ORDER BY h.lane, h.device_id FOR UPDATE OF h),
  ok AS MATERIALIZED (
    SELECT 1 AS one WHERE cardinality($2::text[]) = (
      SELECT count(*) FROM l WHERE l.retired_by IS NULL AND NOT l.dropped AND l.key_epoch = l.known_epoch)),
  r AS (
    INSERT INTO receipt (lane, device_id, receipt, seq)
    SELECT l.lane, l.device_id, l.receipt, l.next_seq FROM ok CROSS JOIN l WHERE l.receipt IS NOT NULL
    ON CONFLICT (lane, device_id, receipt) DO NOTHING RETURNING device_id),
  w AS MATERIALIZED (
    SELECT l.* FROM ok CROSS JOIN l WHERE l.receipt IS NULL OR l.device_id IN (SELECT r.device_id FROM r)),
  u AS (
    UPDATE device_head h SET next_seq = h.next_seq + 1, rows = h.rows + w.new_rows, bytes = h.bytes + length(w.entry),
      tail_rows = h.tail_rows + w.new_rows, first = least(h.first, w.earliest), last = greatest(h.last, w.latest),
      last_seen = w.received
    FROM w WHERE h.lane = w.lane AND h.device_id = w.device_id
    RETURNING h.lane, h.device_id, h.key_epoch, h.next_seq - 1 AS seq, h.tail_rows, w.kind, w.entry),
  t AS (INSERT INTO tail (lane, device_id, seq, kind, entry) SELECT u.lane, u.device_id, u.seq, u.kind, u.entry FROM u),
  o AS (INSERT INTO outcome (lane, id, stored) SELECT $13, $11::uuid, true FROM ok)
  SELECT l.device_id, l.retired_by, l.dropped, l.key_epoch, NULL AS seq, NULL AS tail_rows FROM l
    WHERE l.receipt IS NOT NULL OR NOT EXISTS (SELECT 1 FROM ok)
  UNION ALL SELECT u.device_id, NULL, false, u.key_epoch, u.seq, u.tail_rows FROM u`;

/**
 * Appends all of a group or nothing: where a device is refused, or its keys are to be looked up, no records are stored, and
 * the answer says which. The row lock makes the order of arrival the order of commit. Resolves with each device's row, with `seq`
 * and last of its rows where records were stored; with null where all were and the answer was lost. Rejects as a change of the database does, with the
 * cause 55P03 where a lock was waited for too long.
 */
export function appendAtOnce(
  database: Database,
  { lanes, devices, keyEpochs, rows, received, first, last, kinds, entries, receipts }: Appended,
  { untilMs, lockMs }: GroupOptions,
): Promise<readonly DatabaseRow[] | null> {
  const columns = [lanes, devices, keyEpochs, rows, received, first, last, kinds, entries, receipts];
  const lane = lanes[0] ?? 0;
  return database.once(lane, (id) => ({ sql: APPEND, params: [...columns, id, `${lockMs ?? 0}ms`, lane] }), {
    untilMs,
  });
}
