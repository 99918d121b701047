import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  double,
  integer,
  oneof,
  string,
  tuple,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PackedRecords, Columnar, StoredRecord, Value } from '#core/store/store.ts';
import { packRecords } from '#core/store/blocks/block/packer.ts';
import { RecordColumns } from '#core/store/record-columns.ts';
import { unpack } from '../../../helpers/files/imports.ts';
import { record } from '../../../suites/record-store/harness.ts';

async function pack(...added: readonly StoredRecord[][]): Promise<PackedRecords[]> {
  const blocks: PackedRecords[] = [];
  const packer = packRecords(async (packed) => void blocks.push(packed));
  for (const records of added) await packer.add(records);
  await packer.end();
  return blocks;
}

/** Records as columns: those that lack a key have an absent cell there, with odds and ends in it. */
function columnsOf(records: readonly StoredRecord[]): Columnar {
  const keys = [...new Set(records.flatMap((one) => one.keys))];
  const column = (key: string) => {
    const values = records.map((one) => one.values[one.keys.indexOf(key)]);
    const kindOf = (value: Value | undefined) =>
      value === undefined ? 0 : typeof value === 'number' ? 1 : typeof value === 'boolean' ? 2 : 3;
    return {
      key,
      kinds: Uint8Array.from(values, kindOf),
      numbers: Float64Array.from(values, (value) => (typeof value === 'string' ? 7 : Number(value ?? 7))),
      texts: values.map((value) => (typeof value === 'string' ? value : 'left over')),
    };
  };
  return {
    size: records.length,
    times: Float64Array.from(records, ({ timestamp }) => timestamp),
    received: 5000,
    columns: keys.map(column),
  };
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

  test('are the same, byte by byte, whether they came as records or as columns', async () => {
    const number = double({ noNaN: true, noDefaultInfinity: true });
    const value = oneof(constant(null), number, number, boolean(), string());
    const uniform = oneof(
      constant([number, boolean()] as const),
      constant([value, value] as const),
      constant([number, value] as const),
    ).chain(([a, b]) => array(tuple(integer({ min: 0, max: 5000 }), a, b, value), { maxLength: 600 }));
    await assert(
      asyncProperty(array(tuple(boolean(), uniform), { maxLength: 6 }), async (parts) => {
        const added = parts.map(([asColumns, rows]) => ({
          asColumns,
          records: rows.map(([time, a, b, rare]) => ({
            ...record(time, {
              ...(a !== null && { a }),
              ...(b !== null && { b }),
              ...(rare !== null && time % 7 === 0 && { rare }),
              n: time,
            }),
            received: 5000,
          })),
        }));
        const blocks: PackedRecords[] = [];
        const packer = packRecords(async (packed) => void blocks.push(packed));
        for (const { asColumns, records } of added)
          if (asColumns) await packer.addColumns(columnsOf(records));
          else await packer.add(records);
        await packer.end();
        expect(blocks).toEqual(await pack(...added.map(({ records }) => records)));
      }),
      { numRuns: 100 },
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
