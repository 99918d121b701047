import * as fc from 'fast-check';
import { parquetMetadata, parquetRead } from 'hyparquet';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { expect, test } from 'vitest';
import { exportRecords } from '#core/export/export.ts';
import { blocksOf } from '#core/store/blocks/block/rows-to-blocks.ts';
import { Cursor } from '#core/store/blocks/query/cursor.ts';
import { KindsOfRows, ParquetRows } from '#core/store/blocks/query/parquet-rows.ts';
import { MemoryRun } from '#core/store/blocks/query/run.ts';
import { Timeline } from '#core/store/blocks/query/timeline.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';

/* docs/local-api.md, "Import and export": Parquet files, read back by another library. */

const cellsOf = (records: readonly StoredRecord[], keys: readonly string[], atOnce: number) => {
  const run = new MemoryRun();
  for (const block of blocksOf(records, -Infinity)) run.add(block);
  const timeline = new Timeline([run]);
  const projection = { keys: new Set(keys), received: false };
  const each = (take: (batch: NonNullable<ReturnType<Cursor['next']>>) => void) => {
    const cursor = new Cursor(timeline, 0, timeline.rows, false, projection);
    for (let batch = cursor.next(atOnce); batch !== null; batch = cursor.next(atOnce)) take(batch);
  };
  const seen = new KindsOfRows(keys);
  each((batch) => seen.add(batch));
  const file = new ParquetRows(keys, seen.kinds);
  const pieces: Buffer[] = [];
  each((batch) => {
    file.add(batch);
    pieces.push(file.take());
  });
  file.end();
  return Buffer.concat([...pieces, file.take()]);
};

async function written(records: readonly StoredRecord[], keys: readonly string[]): Promise<Buffer> {
  async function* scan() {
    yield records;
  }
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of exportRecords({ scan: scan(), keys, format: 'parquet' })) pieces.push(bytes);
  return Buffer.concat(pieces);
}

/** A buffer of its own, as the reader wants it. */
const fileOf = (bytes: Buffer) => new Uint8Array(bytes).buffer;

/** Rows of cells in the order of the columns; times in µs. */
async function rowsIn(bytes: Buffer): Promise<unknown[][]> {
  let rows: unknown[][] = [];
  const onComplete = (read: unknown[][]) => void (rows = read);
  const parsers = { ...DEFAULT_PARSERS, timestampFromMicroseconds: (us: bigint) => us };
  await parquetRead({ file: fileOf(bytes), rowFormat: 'array', parsers, onComplete });
  return rows;
}

const record = (timestamp: number, data: Readonly<Record<string, Value>>): StoredRecord => ({
  timestamp,
  received: 0,
  keys: Object.keys(data).toSorted(),
  values: Object.keys(data)
    .toSorted()
    .map((key) => data[key]!),
});

const TIME = 1_772_483_421_202_946;

test('each column has the type of its values, and the time is UTC to the µs', async () => {
  const bytes = await written(
    [
      record(TIME, { temperature: 20.5, on: true, state: 'idle', mixed: 1 }),
      record(TIME + 1, { temperature: -0, on: false, mixed: 'two' }),
      record(TIME + 2, { other: 1 }),
      record(TIME + 3, { mixed: true, state: 'ä ☃' }),
    ],
    ['temperature', 'on', 'state', 'mixed', 'none'],
  );
  const { schema, num_rows, created_by } = parquetMetadata(fileOf(bytes));
  expect(schema.slice(1).map(({ name, type, converted_type }) => [name, type, converted_type])).toEqual([
    ['timestamp', 'INT64', 'TIMESTAMP_MICROS'],
    ['temperature', 'DOUBLE', undefined],
    ['on', 'BOOLEAN', undefined],
    ['state', 'BYTE_ARRAY', 'UTF8'],
    ['mixed', 'BYTE_ARRAY', 'UTF8'],
    ['none', 'DOUBLE', undefined],
  ]);
  expect([num_rows, created_by]).toEqual([3n, 'Fieldbench']);
  expect(await rowsIn(bytes)).toEqual([
    [BigInt(TIME), 20.5, true, 'idle', '1', null],
    [BigInt(TIME + 1), -0, false, null, 'two', null],
    [BigInt(TIME + 3), null, null, 'ä ☃', 'true', null],
  ]);
});

test('a file without a record is a file', async () => {
  expect(await rowsIn(await written([], ['a']))).toEqual([]);
});

test('any records come back as they were, and from cells as from records, byte for byte', async () => {
  const KEYS = ['a', 'b', 'c.d', '__proto__', 'ä "q"'];
  const value = fc.oneof(
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ maxLength: 70 }),
  );
  const one = fc.array(fc.tuple(fc.constantFrom(...KEYS), value), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(one, { maxLength: 60 }),
      fc.shuffledSubarray(KEYS),
      fc.constantFrom(1, 7, 1000),
      async (list, keys, atOnce) => {
        const records = list.map((pairs, n) => {
          const data = new Map(pairs);
          const own = [...data.keys()].toSorted();
          return { timestamp: TIME + n, received: 0, keys: own, values: own.map((key) => data.get(key)!) };
        });
        const bytes = await written(records, keys);
        expect(cellsOf(records, keys, atOnce).equals(bytes)).toBe(true);
        const types = new Map(
          keys.map((key) => {
            const kinds = new Set(records.flatMap((r) => typeof r.values[r.keys.indexOf(key)]));
            kinds.delete('undefined');
            return [key, kinds.size === 1 ? [...kinds][0] : 'string'];
          }),
        );
        const expected = records.flatMap((r) => {
          const cells = keys.map((key) => {
            const held = r.values[r.keys.indexOf(key)];
            if (held === undefined) return null;
            if (types.get(key) !== 'string' || typeof held === 'string') return held;
            return Object.is(held, -0) ? '-0' : String(held);
          });
          return cells.some((cell) => cell !== null) ? [[BigInt(r.timestamp), ...cells]] : [];
        });
        expect(await rowsIn(bytes)).toEqual(expected);
      },
    ),
    { numRuns: 200, seed: 6 },
  );
});

test('row groups end by what stands in them, so that memory stays bounded and the bytes are the same', async () => {
  const records = Array.from({ length: 70_000 }, (_, n) => record(TIME + n * 1000, { n, half: n / 2 }));
  const bytes = await written(records, ['half', 'n']);
  const { row_groups } = parquetMetadata(fileOf(bytes));
  expect(row_groups.length).toBeGreaterThan(1);
  expect(cellsOf(records, ['half', 'n'], 333).equals(bytes)).toBe(true);
  const texts = Array.from({ length: 300 }, (_, n) => record(TIME + n, { text: 'x'.repeat(60_000) }));
  expect(parquetMetadata(fileOf(await written(texts, ['text']))).row_groups.length).toBeGreaterThan(3);
});
