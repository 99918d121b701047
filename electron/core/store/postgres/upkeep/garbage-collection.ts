import { BlockTable } from '../../blocks/block/block-table.ts';
import { allocate, ByteReader } from '../../blocks/codec/bytes.ts';
import type { Asker, Database, DatabaseRow } from '../connection/connections.ts';
import { removeStaged } from '../storing/staging.ts';

/** Blocks that one statement removes. */
const MOST_BLOCKS = 4096;
/** Segments, silent imports and devices that one transaction removes. */
const AT_ONCE = 16;
const MOST_DROPPED = 1000;

/** Where there is something to do: of all lanes, and so of all nodes. What is done then is of one lane each. */
const LANES_OF_GONE =
  "SELECT DISTINCT lane FROM segment WHERE state = 3 AND gone_at <= now() - $1 * interval '1 second'";
const LANES_OF_SILENT = "SELECT DISTINCT lane FROM staging WHERE seen <= now() - $1 * interval '1 second'";
const LANES_OF_DROPPED =
  "SELECT DISTINCT lane FROM device_head WHERE dropped AND changed < now() - interval '1 day'";
/** Segments that no read needs any more, some at a time; those that another process removes just now are left to it. */
const GONE = `SELECT device_id, segment_id, blocks, orphans FROM segment
  WHERE lane = $1 AND state = 3 AND gone_at <= now() - $2 * interval '1 second' LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`;
const NO_BLOCKS = 'DELETE FROM block WHERE lane = $1 AND device_id = $2 AND block_id = ANY($3::bigint[])';
const NO_KEYS = 'DELETE FROM segment_key WHERE lane = $1 AND device_id = $2 AND segment_id = $3';
const NO_SEGMENT = 'DELETE FROM segment WHERE lane = $1 AND device_id = $2 AND segment_id = $3';
const SILENT = `SELECT device_id, staging_id FROM staging
  WHERE lane = $1 AND seen <= now() - $2 * interval '1 second' LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`;
const DROPPED = `DELETE FROM device_head WHERE lane = $1 AND device_id = ANY(ARRAY(
  SELECT device_id FROM device_head WHERE lane = $1 AND dropped AND changed < now() - interval '1 day' LIMIT ${MOST_DROPPED}))
  AND dropped AND changed < now() - interval '1 day' RETURNING device_id`;

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
  { goneSeconds, silentSeconds }: GarbageLimits,
  mayGoOn: () => boolean | Promise<boolean>,
): Promise<void> {
  for (const { lanesOf, params, remove } of [
    { lanesOf: LANES_OF_GONE, params: [goneSeconds], remove: removeGone },
    { lanesOf: LANES_OF_SILENT, params: [silentSeconds], remove: removeSilent },
    { lanesOf: LANES_OF_DROPPED, params: [], remove: removeDropped },
  ]) {
    if (!(await mayGoOn())) return;
    for (const { lane } of await database.ask<{ readonly lane: number }>(lanesOf, params))
      do {
        if (!(await mayGoOn())) return;
      } while (await database.change((asker) => remove(asker, lane, params), { lane }));
  }
}

/** Resolves with whether there may be more. */
async function removeGone(asker: Asker, lane: number, limits: readonly number[]): Promise<boolean> {
  const rows = await asker.ask(GONE, [lane, ...limits]);
  for (const row of rows) {
    const key = [lane, row['device_id']];
    const ids = (row['orphans'] as number[] | null) ?? blocksOf(row);
    for (let from = 0; from < ids.length; from += MOST_BLOCKS)
      await asker.ask(NO_BLOCKS, [...key, ids.slice(from, from + MOST_BLOCKS)]);
    await asker.askAll([NO_KEYS, NO_SEGMENT].map((sql) => ({ sql, params: [...key, row['segment_id']] })));
  }
  return rows.length === AT_ONCE;
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
  return (await asker.ask(DROPPED, [lane])).length === MOST_DROPPED;
}

/** Resolves with whether there may be more. */
async function removeSilent(asker: Asker, lane: number, limits: readonly number[]): Promise<boolean> {
  const rows = await asker.ask(SILENT, [lane, ...limits]);
  for (const row of rows)
    await removeStaged(asker, { lane, device: row['device_id'] as string }, row['staging_id'] as string);
  return rows.length === AT_ONCE;
}
