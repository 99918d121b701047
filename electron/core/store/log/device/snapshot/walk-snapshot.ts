import type { TakeCell, WalkSnapshot } from '../../../store.ts';
import { CellWalk } from '../../../blocks/query/walk-cells.ts';
import type { SortedRows } from '../../../blocks/query/sorted-rows.ts';
import { Timeline } from '../../../blocks/query/timeline.ts';
import { heldBefore } from '../../../blocks/series/outside.ts';
import { readSnapshot } from './read-snapshot.ts';
import { scanRows } from '../scan.ts';

/** Hands on the cells of what snapshot.ts tells of a device, in any thread. */
export const walkSnapshot: WalkSnapshot = (parts, walk, take) =>
  readSnapshot(parts, (sources) => cellsOf(sources, walk, take));

/** The same of sources at hand. */
export async function* cellsOf(
  sources: readonly SortedRows[],
  { range, keys, held, rows }: Parameters<WalkSnapshot>[1],
  take: TakeCell,
): AsyncGenerator<void> {
  const { start } = range;
  if (held && start !== undefined)
    for (const [place, key] of keys.entries()) {
      const cell = heldBefore(sources, key, start);
      if (cell !== null) take(place, cell.instant, cell.kind, cell.number, cell.text);
      yield;
    }
  const walk = new CellWalk(keys, rows, take);
  for await (const batch of scanRows(new Timeline(sources), range, {
    keys: new Set(keys),
    received: rows,
  })) {
    walk.add(batch);
    yield;
  }
}
