import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowBuffer } from '#core/store/blocks/block/row-buffer.ts';
import { blocksOf, dividedAt } from '#core/store/blocks/block/rows-to-blocks.ts';
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

function recordsOf(sources: readonly SortedRows[]): StoredRecord[] {
  const slice = new RowSlice();
  return sources.flatMap((source) => {
    const read: StoredRecord[] = [];
    for (let row = 0; row < source.rows;) {
      const { to } = source.stretch(row);
      source.readInto(slice, row, to, { received: true });
      for (let i = 0; i < slice.size; i++) read.push(slice.record(i));
      row = to;
    }
    return read;
  });
}

/** The texts of `n` in order of time, of each source. */
const rowsOf = (sources: readonly SortedRows[]) =>
  recordsOf(sources).map(({ values }) => String(values.at(-1)));

const textOf = ({ timestamp, received, keys, values }: StoredRecord) =>
  JSON.stringify([timestamp, received, keys, values]);
const textsOf = (sources: readonly SortedRows[]) => recordsOf(sources).map(textOf).toSorted();

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

test('late rows that are packed again and again make few blocks, too', () => {
  const table = new Memtable(1_000_000);
  for (let n = 0; n < 100; n++) {
    fill(table, n, 1);
    expect(table.pack().length).toBeLessThanOrEqual(Math.log2(n + 1) + 1);
  }
  expect(rowsOf(table.sources(false))).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`));
});

test('a row of thousands of keys is packed in the room of one', () => {
  const keys = Array.from({ length: 2000 }, (_, i) => `k${i}`);
  const table = new Memtable(-Infinity);
  // The median: memory that others have left is given back now and then, and buffers that all share grow once.
  const taken: number[] = [];
  for (let n = 0; n < 21; n++) {
    table.add([{ timestamp: n, received: n, keys, values: keys.map(() => n) }]);
    const before = process.memoryUsage().arrayBuffers;
    table.pack();
    taken.push(process.memoryUsage().arrayBuffers - before);
  }
  expect(taken.toSorted((a, b) => a - b)[10]! / 2 ** 20).toBeLessThan(4);
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

const value = fc.oneof(fc.integer(), fc.boolean(), fc.string({ maxLength: 5 }));
const someRecords = fc.array(
  fc.record({
    time: fc.integer({ min: 0, max: 30 }),
    cells: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value, { minKeys: 1 }),
  }),
  { minLength: 1, maxLength: 30 },
);
const steps = fc.array(
  fc.record({
    act: fc.constantFrom('add', 'add', 'add', 'blocks', 'pack', 'look', 'put back'),
    which: fc.nat(2),
    records: someRecords,
  }),
  { maxLength: 60 },
);

test('devices that share memory hold what each was given, and so does who looked before', () => {
  fc.assert(
    fc.property(steps, (acts) => {
      const tables = Array.from({ length: 3 }, () => new Memtable(-Infinity));
      const given: string[][] = [[], [], []];
      const looked: { readonly sources: readonly SortedRows[]; readonly saw: readonly string[] }[] = [];
      let received = 0;
      for (const { act, which, records } of acts) {
        const table = tables[which]!;
        const own = given[which]!;
        const stored = records.map(({ time, cells }) => {
          const keys = Object.keys(cells).toSorted();
          return { timestamp: time, received: ++received, keys, values: keys.map((key) => cells[key]!) };
        });
        if (act === 'add' || act === 'blocks') own.push(...stored.map(textOf));
        if (act === 'add') table.add(stored);
        if (act === 'blocks') table.addBlocks(blocksOf(stored, table.newest));
        if (act === 'pack') table.pack();
        if (act === 'look' || act === 'put back')
          looked.push({ sources: table.sources(true), saw: [...own] });
        if (act === 'put back') {
          const next = new Memtable(table.newest);
          next.putBefore(table);
          tables[which] = next;
        }
      }
      for (const [i, table] of tables.entries())
        expect(textsOf(table.sources(false))).toEqual(given[i]!.toSorted());
      for (const { sources, saw } of looked) expect(textsOf(sources)).toEqual(saw.toSorted());
    }),
    { seed: 20261122, numRuns: 500 },
  );
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

test('a block is divided where its rows are late up to a time and then not', () => {
  const table = new Memtable(-Infinity);
  fill(table, 0, 20);
  const [block] = table.pack();
  const parts = dividedAt(block!, 12);
  expect(parts.map(({ rows, first, last }) => [rows, first, last])).toEqual([
    [12, 0, 11],
    [8, 12, 19],
  ]);
  const again = new Memtable(-Infinity);
  again.addBlocks(parts);
  expect(textsOf(again.sources(false))).toEqual(textsOf(table.sources(false)));
  expect(dividedAt(block!, 0)).toEqual([block]);
  expect(dividedAt(block!, 20)).toEqual([block]);
});
