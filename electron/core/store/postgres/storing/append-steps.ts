import type { Asker, Database, DatabaseRow, Statement } from '../connection/connections.ts';
import { LockLost } from '../connection/database-errors.ts';
import type { Appended } from './append-once.ts';

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
 * As the one statement of append-once.ts, by statements of one table each: Citus would run each part of that by itself and
 * send the results to and fro, which takes ten times as long.
 */
export function appendInSteps(
  database: Database,
  lane: number,
  appended: Appended,
  untilMs: number,
): Promise<readonly DatabaseRow[]> {
  return database.change((transaction) => steps(transaction, lane, appended), { lane, untilMs });
}

async function steps(
  transaction: Asker,
  lane: number,
  { devices, keyEpochs, receipts, ...columns }: Appended,
): Promise<readonly DatabaseRow[]> {
  const heads = await transaction.ask(LOCK_ALL, [lane, devices]);
  const byDevice = new Map(heads.map((head) => [head['device_id'], head]));
  const isTaken = (device: string, i: number) => {
    const head = byDevice.get(device);
    return head?.['retired_by'] === null && head['dropped'] === false && head['key_epoch'] === keyEpochs[i];
  };
  if (!devices.every(isTaken)) return heads;

  const seqOf = (device: string) => byDevice.get(device)?.['next_seq'] as number;
  const asked = devices.flatMap((device, i) => {
    const receipt = receipts[i] ?? null;
    return receipt === null ? [] : [[device, receipt, seqOf(device)]];
  });
  const answers = await transaction.askAll(insertAll(TAKE_RECEIPTS, lane, asked));
  const taken = new Set(answers.flat().map((row) => row['device_id']));
  const isNew = devices.map((device, i) => (receipts[i] ?? null) === null || taken.has(device));
  const fresh = <T>(column: readonly T[]) => column.filter((_, i) => isNew[i]);

  const entries = fresh(columns.entries);
  const [kinds, stored] = [fresh(columns.kinds), fresh(devices)];
  const counted = [fresh(columns.rows), entries.map(({ length }) => length), fresh(columns.received)];
  const [rows = []] = await transaction.askAll([
    { sql: COUNT, params: [lane, stored, ...counted, fresh(columns.first), fresh(columns.last)] },
    ...insertAll(
      ENTER,
      lane,
      stored.map((device, i) => [device, seqOf(device), kinds[i], entries[i]]),
    ),
  ]);
  const ends = new Map(rows.map((row) => [row['device_id'], row]));
  if (stored.some((device) => ends.get(device)?.['seq'] !== seqOf(device)))
    throw new LockLost('the head of a device was changed under its lock');
  return heads.map((head) => {
    const { seq = null, tail_rows = null } = ends.get(head['device_id']) ?? {};
    return { ...head, seq, tail_rows };
  });
}

/**
 * Returns few INSERTs of many rows of one lane each; `text` makes one of its VALUES. They have a power of two of rows, so that few
 * texts are prepared. VALUES, since Citus sends what a SELECT makes on the coordinator by COPY, and each COPY by a two-phase commit
 * (https://github.com/citusdata/citus, multi_copy.c); VALUES of one lane are one task of one node.
 */
function insertAll(
  text: (rows: string) => string,
  lane: number,
  rows: readonly (readonly unknown[])[],
): Statement[] {
  const statements: Statement[] = [];
  for (let from = 0; from < rows.length;) {
    const count = 2 ** Math.floor(Math.log2(rows.length - from));
    const some = rows.slice(from, from + count);
    let place = 1;
    const values = some.map((row) => `($1, ${row.map(() => `$${++place}`).join(', ')})`);
    statements.push({ sql: text(values.join(', ')), params: [lane, ...some.flat()] });
    from += count;
  }
  return statements;
}
