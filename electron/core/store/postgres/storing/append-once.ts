import type { Database, DatabaseRow } from '../connection/connections.ts';

/** Append to a lane (shard): a device each place, in the order of their ids. */
export interface Appended {
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

const APPEND = `WITH i AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[], $8::smallint[], $9::bytea[], $10::text[])
      AS t(device_id, key_epoch, rows, received, first, last, kind, entry, receipt)),
  l AS MATERIALIZED (
    SELECT h.device_id, h.retired_by, h.dropped, h.key_epoch, h.next_seq FROM device_head h
    WHERE h.lane = $1 AND h.device_id = ANY($2::text[]) ORDER BY h.device_id FOR UPDATE),
  ok AS MATERIALIZED (
    SELECT 1 AS one WHERE (SELECT count(*) FROM i) = (
      SELECT count(*) FROM l JOIN i ON i.device_id = l.device_id
      WHERE l.retired_by IS NULL AND NOT l.dropped AND l.key_epoch = i.key_epoch)),
  r AS (
    INSERT INTO receipt (lane, device_id, receipt, seq)
    SELECT $1, i.device_id, i.receipt, l.next_seq FROM ok CROSS JOIN i JOIN l ON l.device_id = i.device_id
    WHERE i.receipt IS NOT NULL
    ON CONFLICT (lane, device_id, receipt) DO NOTHING RETURNING device_id),
  u AS (
    UPDATE device_head h SET next_seq = h.next_seq + 1, rows = h.rows + i.rows, bytes = h.bytes + length(i.entry),
      tail_rows = h.tail_rows + i.rows, first = least(h.first, i.first), last = greatest(h.last, i.last),
      last_seen = i.received
    FROM ok CROSS JOIN i LEFT JOIN r ON r.device_id = i.device_id
    WHERE h.lane = $1 AND h.device_id = i.device_id AND (i.receipt IS NULL OR r.device_id IS NOT NULL)
    RETURNING h.device_id, h.next_seq - 1 AS seq, h.tail_rows, i.kind, i.entry),
  t AS (INSERT INTO tail (lane, device_id, seq, kind, entry) SELECT $1, u.device_id, u.seq, u.kind, u.entry FROM u),
  o AS (INSERT INTO outcome (lane, id, stored) SELECT $1, $11::uuid, true FROM ok)
  SELECT l.device_id, l.retired_by, l.dropped, l.key_epoch, u.seq, u.tail_rows FROM l LEFT JOIN u ON u.device_id = l.device_id`;

/**
 * Appends all of a group or nothing: where a device is refused, or its keys are to be looked up, no records are stored, and
 * the answer says which. The row lock makes the order of arrival the order of commit. Resolves with each device's row, `seq`
 * where records were stored; with null where all were and the answer was lost.
 */
export function appendAtOnce(
  database: Database,
  lane: number,
  { devices, keyEpochs, rows, received, first, last, kinds, entries, receipts }: Appended,
  untilMs: number,
): Promise<readonly DatabaseRow[] | null> {
  const columns = [devices, keyEpochs, rows, received, first, last, kinds, entries, receipts];
  return database.once(lane, (id) => ({ sql: APPEND, params: [lane, ...columns, id] }), { untilMs });
}
