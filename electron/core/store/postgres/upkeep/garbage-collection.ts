import { BlockTable } from '../../blocks/block/block-table.ts';
import { allocate, ByteReader } from '../../blocks/codec/bytes.ts';
import type { Asker, Database, DatabaseRow } from '../connection/connections.ts';
import { removeStaged } from '../storing/staging.ts';

/** Segments that no read needs any more, some at a time; those that another process removes just now are left to it. */
const GONE = `SELECT device_id, segment_id, blocks, orphans FROM segment
  WHERE lane = $1 AND state = 3 AND gone_at <= now() - $2 * interval '1 second' LIMIT 16 FOR UPDATE SKIP LOCKED`;
const NO_BLOCKS = 'DELETE FROM block WHERE lane = $1 AND device_id = $2 AND block_id = ANY($3::bigint[])';
const NO_KEYS = 'DELETE FROM segment_key WHERE lane = $1 AND device_id = $2 AND segment_id = $3';
const NO_SEGMENT = 'DELETE FROM segment WHERE lane = $1 AND device_id = $2 AND segment_id = $3';
const SILENT = `SELECT device_id, staging_id FROM staging
  WHERE lane = $1 AND seen <= now() - $2 * interval '1 second' LIMIT 16 FOR UPDATE SKIP LOCKED`;
const DROPPED = `DELETE FROM device_head WHERE lane = $1 AND device_id = ANY(ARRAY(
  SELECT device_id FROM device_head WHERE lane = $1 AND dropped AND changed < now() - interval '1 day' LIMIT 1000))
  AND dropped AND changed < now() - interval '1 day' RETURNING device_id`;

/** Blocks that one statement removes. */
const MOST_BLOCKS = 4096;

export interface GarbageLimits {
  /** Seconds for which a slow reader still finds the blocks of removed segments. */
  readonly goneSeconds: number;
  /** Seconds of silence after which an import is given up. */
  readonly silentSeconds: number;
}

/**
 * Garbage collection of all lanes: removed segments, silent imports, devices that went. Any process may run it, several at
 * once too. `mayGoOn` is asked before each piece of work.
 */
export async function collectGarbage(
  database: Database,
  lanes: number,
  { goneSeconds, silentSeconds }: GarbageLimits,
  mayGoOn: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let lane = 0; lane < lanes; lane++) {
    for (const remove of [
      (asker: Asker) => removeGone(asker, lane, goneSeconds),
      (asker: Asker) => removeSilent(asker, lane, silentSeconds),
      (asker: Asker) => removeDropped(asker, lane),
    ])
      do {
        if (!(await mayGoOn())) return;
      } while (await database.change(remove, { lane }));
  }
}

/** Resolves with whether there may be more. */
async function removeGone(asker: Asker, lane: number, seconds: number): Promise<boolean> {
  const rows = await asker.ask(GONE, [lane, seconds]);
  for (const row of rows) {
    const key = [lane, row['device_id']];
    const ids = (row['orphans'] as number[] | null) ?? blocksOf(row);
    for (let from = 0; from < ids.length; from += MOST_BLOCKS)
      await asker.ask(NO_BLOCKS, [...key, ids.slice(from, from + MOST_BLOCKS)]);
    await asker.askAll([NO_KEYS, NO_SEGMENT].map((sql) => ({ sql, params: [...key, row['segment_id']] })));
  }
  return rows.length > 0;
}

function blocksOf(row: DatabaseRow): number[] {
  const bytes = row['blocks'] as Buffer;
  const copy = allocate(Math.ceil(bytes.length / 8) * 8);
  copy.set(bytes);
  const table = BlockTable.read(new ByteReader(copy));
  return Array.from({ length: table.count }, (_, index) => table.offsetOf(index));
}

/** Resolves with whether there may be more. */
async function removeDropped(asker: Asker, lane: number): Promise<boolean> {
  return (await asker.ask(DROPPED, [lane])).length > 0;
}

async function removeSilent(asker: Asker, lane: number, seconds: number): Promise<boolean> {
  const rows = await asker.ask(SILENT, [lane, seconds]);
  for (const row of rows)
    await removeStaged(asker, { lane, device: row['device_id'] as string }, row['staging_id'] as string);
  return rows.length > 0;
}
