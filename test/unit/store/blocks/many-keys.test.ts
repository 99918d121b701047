import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BLOCK_ROWS } from '#core/store/blocks/block/block-writer.ts';
import { Block } from '#core/store/blocks/block/block.ts';
import { summarize, type KeyStats } from '#core/store/blocks/block/block-stats.ts';
import { RowBuffer } from '#core/store/blocks/block/row-buffer.ts';
import { RowSlice } from '#core/store/blocks/block/row-slice.ts';
import { blockOf, blocksOf } from '#core/store/blocks/block/rows-to-blocks.ts';
import { BufferedRows } from '#core/store/blocks/query/sorted-rows.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';

const LETTERS = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i));
const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.string());
const record = fc.record({
  timestamp: fc.integer({ min: 0, max: 1e9 }),
  fields: fc.dictionary(fc.constantFrom(...LETTERS), value, { maxKeys: 6 }),
});
const records = fc
  .array(record, { minLength: 1, maxLength: 300 })
  .map((all) =>
    all.map(({ timestamp, fields }) => recordOf(timestamp, Object.entries(fields) as [string, Value][])),
  );

function recordOf(timestamp: number, fields: readonly (readonly [string, Value])[]): StoredRecord {
  const [keys, values] = [fields.map(([key]) => key), fields.map(([, cell]) => cell)];
  return { timestamp, received: timestamp, keys, values };
}

const sorted = (all: readonly StoredRecord[]) => all.toSorted((a, b) => a.timestamp - b.timestamp);

function statsOf(all: readonly StoredRecord[], key: string): KeyStats {
  const cells = all.flatMap(({ timestamp, keys, values }) => {
    const index = keys.indexOf(key);
    return index < 0 ? [] : [{ timestamp, cell: values[index]! }];
  });
  const numbers = cells.filter(({ cell }) => typeof cell !== 'string');
  const values = numbers.map(({ cell }) => Number(cell));
  const none = { min: 0, max: 0, first: 0, last: 0, firstTime: 0, lastTime: 0 };
  return {
    cells: cells.length,
    numeric: numbers.length,
    ...(values.length === 0
      ? none
      : {
          // Of 0 and -0 the earlier one.
          min: values.reduce((least, number) => (number < least ? number : least)),
          max: values.reduce((most, number) => (number > most ? number : most)),
          first: values[0]!,
          last: values.at(-1)!,
          firstTime: numbers[0]!.timestamp,
          lastTime: numbers.at(-1)!.timestamp,
        }),
  };
}

test('the summary of a block says of each key what its records say', () => {
  fc.assert(
    fc.property(records, (all) => {
      for (const block of blocksOf(all, -Infinity)) {
        const rows = sorted(all);
        const { keys } = summarize(new Block(block.bytes));
        expect([...keys.keys()]).toEqual([...new Set(rows.flatMap((row) => row.keys))].toSorted());
        for (const [key, stats] of keys) expect(stats).toStrictEqual(statsOf(rows, key));
      }
    }),
  );
});

test('rows that are not yet a block are read as those of one, whatever is asked of them', () => {
  const projection = fc.option(fc.uniqueArray(fc.constantFrom(...LETTERS)), { nil: undefined });
  fc.assert(
    fc.property(records, projection, fc.nat(), fc.nat(), (all, keys, a, b) => {
      const buffer = new RowBuffer();
      for (const each of all) buffer.add(each);
      const lasting = new BufferedRows(buffer, true);
      const block = blockOf(buffer);
      for (const each of all) buffer.add(each);
      const [from, to] = [a % all.length, b % all.length].toSorted((x, y) => x - y) as [number, number];
      const asked = { received: true, ...(keys && { keys: new Set(keys) }) };
      expect(readFrom(lasting, from, to + 1, asked)).toStrictEqual(readFrom(block, from, to + 1, asked));
    }),
  );
});

function readFrom(
  source: Pick<BufferedRows, 'readInto'>,
  from: number,
  to: number,
  asked: Parameters<BufferedRows['readInto']>[3],
): StoredRecord[] {
  const slice = new RowSlice();
  source.readInto(slice, from, to, asked);
  return Array.from({ length: slice.size }, (_, row) => slice.record(row));
}

/** A block of so many cells, each of a key of its own among `keys`. */
function wideBlock(keys: number, cells: number): Block {
  const buffer = new RowBuffer();
  const perRow = cells / BLOCK_ROWS;
  for (let row = 0; row < BLOCK_ROWS; row++)
    buffer.add(
      recordOf(
        row,
        Array.from({ length: perRow }, (_, i) => [`key${(row * perRow + i) % keys}`, row] as const),
      ),
    );
  return new Block(blockOf(buffer).bytes);
}

test.each<[what: string, work: (block: Block, keys: number) => void]>([
  ['summarizing it', (block) => void summarize(block)],
  [
    'finding each of its keys',
    (block, keys) => {
      for (let i = 0; i < keys; i++) expect(block.column(`key${i}`)).toBeDefined();
    },
  ],
  [
    'reading each of its keys',
    (block, keys) => {
      const slice = new RowSlice();
      for (let i = 0; i < keys; i++)
        block.readInto(slice, 0, 1, { keys: new Set([`key${i}`]), received: false });
    },
  ],
])('%s costs a block of very many keys about what its cells cost', (_, work) => {
  const [few, many, cells] = [512, 8192, 16_384];
  const costOf = (keys: number) => {
    const block = wideBlock(keys, cells);
    let least = Infinity;
    return () => {
      const began = performance.now();
      work(block, keys);
      least = Math.min(least, performance.now() - began);
      return least;
    };
  };
  const [ofFew, ofMany] = [costOf(few), costOf(many)];
  // What others do on the machine only ever adds to it: a busy one needs more rounds until it has added little once.
  let [fewCost, manyCost] = [ofFew(), ofMany()];
  for (let round = 1; round < 11 || (round < 200 && manyCost >= 100 * fewCost); round++)
    [fewCost, manyCost] = [ofFew(), ofMany()];
  // Sixteen times the keys of as many cells: what looks at every key for every key costs 256 times as much.
  expect(manyCost).toBeLessThan(100 * fewCost);
});
