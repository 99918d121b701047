import { expect, test } from 'vitest';
import { blockOf } from '#core/store/blocks/block/rows-to-blocks.ts';
import { RowBuffer } from '#core/store/blocks/block/row-buffer.ts';
import type { Block } from '#core/store/blocks/block/block.ts';
import { MemoryRun } from '#core/store/blocks/query/run.ts';
import { feedsOf, walkReadings } from '#core/store/blocks/series/readings.ts';
import type { ReadingsQuery } from '#core/store/store.ts';
import { record } from '../../../suites/record-store/harness.ts';

/* Blocks that need no reading are not read: what comes out of them is test/fuzz/excursions. */

const SECOND = 1_000_000;
const ROWS = 1024;
const BLOCKS = 20;

class CountingRun extends MemoryRun {
  reads = 0;

  override block(index: number): Block {
    this.reads++;
    return super.block(index);
  }
}

/** A reading a second; one is too high, and two seconds pass after another. */
function run({ high, late }: { readonly high: number; readonly late: number }): CountingRun {
  const made = new CountingRun();
  for (let block = 0; block < BLOCKS; block++) {
    const rows = new RowBuffer(ROWS);
    for (let n = block * ROWS; n < (block + 1) * ROWS; n++)
      rows.add(record((n + (n > late ? 1 : 0)) * SECOND, { k: n === high ? 99 : n % 10 }));
    made.add(blockOf(rows));
  }
  // Its tables are made from its blocks.
  void made.table;
  void made.keyTable('k');
  made.reads = 0;
  return made;
}

function walk(
  made: CountingRun,
  { most = 10, ...query }: Partial<ReadingsQuery> & { readonly most?: number },
): { reads: number; readings: number } {
  const all = { start: -SECOND, end: BLOCKS * ROWS * SECOND };
  const asked = { key: 'k', range: all, pause: 1.5 * SECOND, ...query };
  made.reads = 0;
  let readings = 0;
  const some = (_first: number, _last: number, _least: number, greatest: number) => greatest <= most;
  const into = { isOver: false, one: () => void readings++, some };
  Array.from(walkReadings(feedsOf([made], asked), into));
  return { reads: made.reads, readings };
}

test('a block of readings inside is read once, and then not any more; one with a reading outside is, and of it a group', () => {
  const made = run({ high: 5 * ROWS + 7, late: 9 * ROWS + 500 });
  expect(walk(made, {})).toEqual({ reads: BLOCKS, readings: 256 });
  expect(walk(made, {})).toEqual({ reads: 2, readings: 256 });
  // Where two seconds are no gap one block is left, and none where the reading is inside.
  expect(walk(made, { pause: 2 * SECOND })).toEqual({ reads: 1, readings: 128 });
  expect(walk(made, { pause: 2 * SECOND, most: 99 })).toEqual({ reads: 0, readings: 0 });
  // Too short a pause: every reading counts.
  expect(walk(made, { pause: SECOND / 2 })).toEqual({ reads: BLOCKS, readings: BLOCKS * ROWS });
});

test('of a span the blocks that it cuts are read, and the index says what held before', () => {
  const made = run({ high: -1, late: -1 });
  walk(made, {});
  const from = 3 * ROWS;
  const spanAt = (row: number) => ({ start: (row + 1) * SECOND, end: (row + 1) * SECOND });
  expect(walk(made, { range: spanAt(from) })).toEqual({ reads: 0, readings: 1 });
  // Once for what held before, and once for the rest of its group.
  expect(walk(made, { range: spanAt(from + 10) })).toEqual({ reads: 2, readings: 1 + 128 - 10 });
});
