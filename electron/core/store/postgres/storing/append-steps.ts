import type { Asker, Database, DatabaseRow, Statement } from '../connection/connections.ts';
import { LockLost } from '../connection/database-errors.ts';
import type { Appended, GroupOptions } from './append-once.ts';

const LOCK_ALL =
  'SELECT device_id, retired_by, dropped, key_epoch, next_seq FROM device_head WHERE lane = $1 AND device_id = ANY($2::text[]) ORDER BY device_id FOR UPDATE';
const TAKE_RECEIPTS = (rows: string) =>
  `INSERT INTO receipt (lane, device_id, receipt, seq) VALUES ${rows} ON CONFLICT (lane, device_id, receipt) DO NOTHING RETURNING device_id`;
const COUNT = `UPDATE device_head h SET next_seq = h.next_seq + 1, rows = h.rows + i.rows, bytes = h.bytes + i.bytes,
    tail_rows = h.tail_rows + i.rows, first = least(h.first, i.first), last = greatest(h.last, i.last), last_seen = i.received
  FROM (SELECT * FROM unnest($2::text[], $3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[])
    AS t(device_id, rows, bytes, received, first, last)) i
  WHERE h.lane = $1 AND h.device_id = i.device_id RETURNING h.device_id, h.next_seq - 1 AS seq, h.tail_rows`;
const ENTER = (rows: string) => `INSERT INTO tail (lane, device_id, seq, kind, entry) VALUES ${rows}`;

/**
 * As the one statement of append-once.ts, by statements of one table each, which name one lane: Citus would run each part of that by
 * itself and send the results to and fro, which takes ten times as long. The lanes lie on one node, so one node commits.
 */
export function appendInSteps(
  database: Database,
  appended: Appended,
  { untilMs }: Pick<GroupOptions, 'untilMs'>,
): Promise<readonly DatabaseRow[]> {
  const lane = appended.lanes[0] ?? 0;
  return database.change((transaction) => appendWithin(transaction, appended), { lane, untilMs });
}

/** The same within a transaction. */
export async function appendWithin(transaction: Asker, appended: Appended): Promise<readonly DatabaseRow[]> {
  const { devices, keyEpochs, receipts, entries } = appended;
  const byLane = (some: readonly number[]) => [...Map.groupBy(some, (i) => appended.lanes[i])];
  const all = [...devices.keys()];
  const locks = byLane(all).map(([lane, some]) => ({
    sql: LOCK_ALL,
    params: [lane, some.map((i) => devices[i])],
  }));
  const heads = (await transaction.askAll(locks)).flat();
  const byDevice = new Map(heads.map((head) => [head['device_id'], head]));
  const isTaken = (i: number) => {
    const head = byDevice.get(devices[i]);
    return head?.['retired_by'] === null && head['dropped'] === false && head['key_epoch'] === keyEpochs[i];
  };
  if (!all.every(isTaken)) return heads;

  const seqOf = (i: number) => byDevice.get(devices[i])?.['next_seq'] as number;
  const hasReceipt = (i: number) => (receipts[i] ?? null) !== null;
  const asked = all.filter(hasReceipt).map((i) => [appended.lanes[i], devices[i], receipts[i], seqOf(i)]);
  const answers = await transaction.askAll(insertAll(TAKE_RECEIPTS, asked));
  const taken = new Set(answers.flat().map((row) => row['device_id']));
  const fresh = all.filter((i) => !hasReceipt(i) || taken.has(devices[i]));

  const counts = byLane(fresh).map(([lane, some]) => {
    const of = <T>(column: readonly T[]) => some.map((i) => column[i]);
    const bytes = some.map((i) => entries[i]?.length);
    const { rows, received, first, last } = appended;
    return {
      sql: COUNT,
      params: [lane, of(devices), of(rows), bytes, of(received), of(first), of(last)],
    };
  });
  const entered = fresh.map((i) => [appended.lanes[i], devices[i], seqOf(i), appended.kinds[i], entries[i]]);
  const counted = await transaction.askAll([...counts, ...insertAll(ENTER, entered)]);
  const ends = new Map(counted.flat().map((row) => [row['device_id'], row]));
  if (fresh.some((i) => ends.get(devices[i])?.['seq'] !== seqOf(i)))
    throw new LockLost('the head of a device was changed under its lock');
  return heads.map((head) => {
    const { seq = null, tail_rows = null } = ends.get(head['device_id']) ?? {};
    return { ...head, seq, tail_rows };
  });
}

/**
 * Returns few INSERTs of many rows each; `text` makes one of its VALUES. They have a power of two of rows, so that few texts are
 * prepared. VALUES, since Citus sends what a SELECT makes on the coordinator by COPY, and each COPY by a two-phase commit
 * (https://github.com/citusdata/citus, multi_copy.c); VALUES of one shard are one task of one node.
 */
function insertAll(text: (rows: string) => string, rows: readonly (readonly unknown[])[]): Statement[] {
  const statements: Statement[] = [];
  for (let from = 0; from < rows.length;) {
    const count = 2 ** Math.floor(Math.log2(rows.length - from));
    const some = rows.slice(from, from + count);
    let place = 0;
    const values = some.map((row) => `(${row.map(() => `$${++place}`).join(', ')})`);
    statements.push({ sql: text(values.join(', ')), params: some.flat() });
    from += count;
  }
  return statements;
}
