import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  option,
  record as recordOf,
  tuple,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PackedRecords, StoredRecord } from '#core/store/store.ts';
import { packRecords } from '#core/store/blocks/block/packer.ts';
import { RecordColumns } from '#core/store/record-columns.ts';
import { unpack } from '../../../helpers/imports.ts';
import { record } from '../../../suites/record-store/harness.ts';

async function pack(...added: readonly StoredRecord[][]): Promise<PackedRecords[]> {
  const blocks: PackedRecords[] = [];
  const packer = packRecords(async (packed) => void blocks.push(packed));
  for (const records of added) await packer.add(records);
  await packer.end();
  return blocks;
}

const byTime = (a: StoredRecord, b: StoredRecord) => a.timestamp - b.timestamp;

describe('packed records', () => {
  test('are sorted, equal times in order of arrival', async () => {
    const times = array(array(integer({ min: 0, max: 50 }), { maxLength: 400 }), { maxLength: 8 });
    await assert(
      asyncProperty(times, async (added) => {
        let n = 0;
        const records = added.map((part) =>
          part.map((time) => record(time, { ...(n % 3 > 0 && { a: `${n % 5}` }), n: n++ })),
        );
        const packed = await pack(...records);
        expect(packed.flatMap(unpack)).toEqual(records.flat().toSorted(byTime));
      }),
      { numRuns: 100 },
    );
  });

  test('are the same ones, whether they come as records, as columns, or as both in turns', async () => {
    const value = constantFrom(0, -0, 1.5, 21, true, false, 'on', '');
    const row = tuple(
      integer({ min: 0, max: 50 }),
      recordOf({
        a: integer({ min: 0, max: 9 }),
        b: option(value, { nil: undefined }),
        c: option(value, { nil: undefined }),
      }),
    );
    const part = tuple(boolean(), array(row, { maxLength: 60 }));
    await assert(
      asyncProperty(array(part, { maxLength: 6 }), async (parts) => {
        const blocks: PackedRecords[] = [];
        const packer = packRecords(async (packed) => void blocks.push(packed));
        const columns = new RecordColumns(['a', 'b', 'c'], 0, 60);
        const all: StoredRecord[] = [];
        for (const [asColumns, rows] of parts) {
          const records = rows.map(([time, values]) => {
            const present = Object.entries(values).flatMap(([key, one]) =>
              one === undefined ? [] : [[key, one] as const],
            );
            return { ...record(time, Object.fromEntries(present)), received: 0 };
          });
          all.push(...records);
          if (!asColumns) await packer.add(records);
          else {
            columns.clear();
            for (const one of records) columns.add(one);
            await packer.addColumns(columns);
          }
        }
        await packer.end();
        expect(blocks.flatMap(unpack)).toEqual(all.toSorted(byTime));
        expect(blocks).toEqual(await pack(all));
      }),
      { numRuns: 300 },
    );
  });

  test('of many rows as columns are divided as records are', async () => {
    const records = Array.from({ length: 70_000 }, (_, n) => ({
      ...record(70_000 - n, { n, even: n % 2 === 0 }),
      received: 0,
    }));
    const blocks: PackedRecords[] = [];
    const packer = packRecords(async (packed) => void blocks.push(packed));
    const columns = new RecordColumns(['n', 'even'], 0, 4096);
    for (const one of records) {
      columns.add(one);
      if (!columns.isFull) continue;
      await packer.addColumns(columns);
      columns.clear();
    }
    await packer.addColumns(columns);
    await packer.end();
    expect(blocks.map(unpack)).toEqual((await pack(records)).map(unpack));
  });

  test('are sorted again for each so many', async () => {
    const records = Array.from({ length: 70_000 }, (_, n) => record(70_000 - n, { n }));
    const blocks = (await pack(records)).map(unpack);
    expect(blocks.flat()).toHaveLength(70_000);
    const starts = blocks.filter(
      (block, i) => i > 0 && block[0]!.timestamp < blocks[i - 1]!.at(-1)!.timestamp,
    );
    expect(starts).toHaveLength(2);
    for (const block of blocks) expect(block).toEqual(block.toSorted(byTime));
  });

  test('do not wait for many when they are large', async () => {
    const text = 'x'.repeat(1 << 20);
    let packed = 0;
    const packer = packRecords(async () => void packed++);
    for (let n = 0; n < 100; n++) await packer.add([record(n, { text })]);
    expect(packed).toBeGreaterThan(0);
  });

  test('fill their buffer, so that they can move to another thread', async () => {
    for (const { byteOffset, byteLength, buffer } of await pack([record(1)], [record(2)]))
      expect([byteOffset, byteLength]).toEqual([0, buffer.byteLength]);
  });

  test('leave time for requests', async () => {
    const records = Array.from({ length: 40_000 }, (_, n) => record((n * 7919) % 40_009, { a: n, b: n / 7 }));
    let turns = 0;
    const count = setInterval(() => turns++, 0);
    await pack(records);
    clearInterval(count);
    expect(turns).toBeGreaterThan(5);
  });
});
