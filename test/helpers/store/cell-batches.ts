import { blocksOf } from '#core/store/blocks/block/rows-to-blocks.ts';
import { Cursor } from '#core/store/blocks/query/cursor.ts';
import { MemoryRun } from '#core/store/blocks/query/run.ts';
import { Timeline } from '#core/store/blocks/query/timeline.ts';
import type { StoredRecord } from '#core/store/store.ts';

/** Cells of uploads whose times may overlap, in order, as a thread reads them for a file: `atOnce` rows at a time. */
export function* cellBatches(
  uploads: readonly (readonly StoredRecord[])[],
  keys: readonly string[],
  atOnce: number,
) {
  const runs = uploads.map((records) => {
    const run = new MemoryRun();
    for (const block of blocksOf(records, -Infinity)) run.add(block);
    return run;
  });
  const timeline = new Timeline(runs);
  const cursor = new Cursor(timeline, 0, timeline.rows, false, { keys: new Set(keys), received: false });
  for (let batch = cursor.next(atOnce); batch !== null; batch = cursor.next(atOnce)) yield batch;
}
