import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowBuffer } from '#core/store/blocks/block/row-buffer.ts';
import { RowSlice } from '#core/store/blocks/block/row-slice.ts';
import { Memtable } from '#core/store/blocks/query/memtable.ts';
import type { SortedRows } from '#core/store/blocks/query/sorted-rows.ts';
import type { StoredRecord } from '#core/store/store.ts';

/* What thousands of devices hold in memory: packed now and then, and filled again in buffers that others have had. */

const recordOf = (n: number): StoredRecord => ({
  timestamp: n,
  received: n,
  keys: ['even', 'n'],
  values: [n % 2 === 0, `${n}`],
});

/** The texts of `n` in order of time, of each source. */
function rowsOf(sources: readonly SortedRows[]): string[] {
  const slice = new RowSlice();
  return sources.flatMap((source) => {
    const read: string[] = [];
    for (let row = 0; row < source.rows;) {
      const { to } = source.stretch(row);
      source.readInto(slice, row, to, { received: false });
      for (let i = 0; i < slice.size; i++) read.push(String(slice.record(i).values.at(-1)));
      row = to;
    }
    return read;
  });
}

function fill(table: Memtable, from: number, count: number): void {
  for (let n = from; n < from + count; n++) table.add([recordOf(n)]);
}

test('packing again leaves a block that is larger than what came since as it is', () => {
  const table = new Memtable(-Infinity);
  fill(table, 0, 200);
  const [first] = table.pack();
  fill(table, 200, 60);
  expect(table.pack()[0]).toBe(first);
  fill(table, 260, 60);
  expect(table.pack()[0]).toBe(first);
  fill(table, 320, 130);
  const packed = table.pack();
  expect(packed.map(({ rows }) => rows)).toEqual([450]);
  expect(rowsOf(table.sources(false))).toEqual(Array.from({ length: 450 }, (_, n) => `${n}`));
});

test('however often rows are packed, they make few blocks, and each row is there in its place', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 60 }), (counts) => {
      const table = new Memtable(-Infinity);
      let rows = 0;
      for (const count of counts) {
        fill(table, rows, count);
        rows += count;
        // Each block has more rows than those behind it, or is large.
        expect(table.pack().length).toBeLessThanOrEqual(Math.log2(rows + 1) + 1 + rows / 512);
      }
      expect(rowsOf(table.sources(false))).toEqual(Array.from({ length: rows }, (_, n) => `${n}`));
    }),
    { seed: 20261122, numRuns: 100 },
  );
});

test('a reader goes on seeing what was there when it began, whoever fills the memory next', () => {
  const [read, other] = [new Memtable(-Infinity), new Memtable(-Infinity)];
  fill(read, 0, 100);
  const seen = read.sources(true);
  read.pack();
  fill(other, 5000, 200);
  fill(read, 100, 50);
  expect(rowsOf(seen)).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`));
});

test('the memory of rows that were packed holds the next ones, of any device', () => {
  const timesOf = (table: Memtable) => table.layers[0]!.liveRows!.times;
  const [first, second] = [new Memtable(-Infinity), new Memtable(-Infinity)];
  fill(first, 0, 100);
  const used = timesOf(first);
  first.pack();
  fill(second, 0, 1);
  expect(timesOf(second)).toBe(used);
});

test('a buffer that is emptied twice still has its columns', () => {
  const rows = new RowBuffer(500);
  rows.add(recordOf(1));
  const { numbers } = rows.column('even');
  rows.reset();
  rows.reset();
  rows.add(recordOf(2));
  expect(rows.columns.map((column) => column.numbers)).toContain(numbers);
});
