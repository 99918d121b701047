import type { Asker, Statement } from '../connection/connections.ts';
import type { MadeBlock, MadeSegment } from '../rows/building.ts';
import type { Head } from '../rows/head.ts';
import type { Place } from '../rows/place.ts';

const ADD_BLOCKS =
  'INSERT INTO block (lane, device_id, block_id, bytes) SELECT $1, $2, t.id, t.bytes FROM unnest($3::bigint[], $4::bytea[]) AS t(id, bytes)';
const ADD_SEGMENT = `INSERT INTO segment (lane, device_id, segment_id, state, kept, age, rows, bytes, first, last, received, blocks)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
const ADD_KEYS = `INSERT INTO segment_key (lane, device_id, segment_id, key, cells, numeric_cells, summary)
  SELECT $1, $2, $3, t.key, t.cells, t.numeric_cells, t.summary
  FROM unnest($4::bytea[], $5::bigint[], $6::bigint[], $7::bytea[]) AS t(key, cells, numeric_cells, summary)`;
const LIVE_SPAN =
  'SELECT coalesce(sum(rows), 0)::bigint AS rows, coalesce(sum(bytes), 0)::bigint AS bytes, min(first) AS first, max(last) AS last FROM segment WHERE lane = $1 AND device_id = $2 AND state = 1';

/** Rows of one statement: a message of the wire has its limits. */
const MOST_ROWS = 256;

/** How live a segment is (schema.sql). */
const LIVE = 1;
const KEPT = 2;

/** Returns the statements that insert new blocks. */
export function blockStatements({ lane, device }: Place, blocks: readonly MadeBlock[]): Statement[] {
  const statements: Statement[] = [];
  for (let from = 0; from < blocks.length; from += MOST_ROWS) {
    const some = blocks.slice(from, from + MOST_ROWS);
    const params = [lane, device, some.map(({ id }) => id), some.map(({ bytes }) => bytes)];
    statements.push({ sql: ADD_BLOCKS, params });
  }
  return statements;
}

/** Returns the statements that insert a new segment. */
export function segmentStatements(
  { lane, device }: Place,
  { rows, bytes, first, last, received, blocks, keys }: MadeSegment,
  { id, age, kept = null }: { readonly id: number; readonly age: number; readonly kept?: string | null },
): Statement[] {
  const state = kept === null ? LIVE : KEPT;
  const row = [lane, device, id, state, kept, age, rows, bytes, first, last, received, blocks];
  const statements: Statement[] = [{ sql: ADD_SEGMENT, params: row }];
  for (let from = 0; from < keys.length; from += MOST_ROWS) {
    const some = keys.slice(from, from + MOST_ROWS);
    const columns = [
      some.map(({ key }) => key),
      some.map(({ cells }) => cells),
      some.map(({ numeric }) => numeric),
      some.map(({ summary }) => summary),
    ];
    statements.push({ sql: ADD_KEYS, params: [lane, device, id, ...columns] });
  }
  return statements;
}

/** The head as its live segments say; the tail is empty. */
export async function counted(asker: Asker, { lane, device }: Place, head: Head): Promise<Head> {
  const [span] = await asker.ask(LIVE_SPAN, [lane, device]);
  return {
    ...head,
    rows: (span?.['rows'] ?? 0) as number,
    bytes: (span?.['bytes'] ?? 0) as number,
    first: (span?.['first'] ?? null) as number | null,
    last: (span?.['last'] ?? null) as number | null,
    tailRows: 0,
  };
}
