import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { packView } from '#core/handover/page/pack-view.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';
import { PART_ROWS, unpackColumn, unpackTimes, valueAt } from '#shared/handover/packed-columns.ts';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME } from '#shared/values/time.ts';

/* Records that are packed into a page come out as they went in: each instant to the µs, each number to the bit. */

type Row = readonly [timestamp: number, values: Readonly<Record<string, Value>>];

async function* inBatches(rows: readonly Row[], size = 1_000): AsyncGenerator<readonly StoredRecord[]> {
  for (let at = 0; at < rows.length; at += size)
    yield rows.slice(at, at + size).map(([timestamp, values]) => ({
      timestamp,
      received: 0,
      keys: Object.keys(values),
      values: Object.values(values),
    }));
}

const bytesOf = (base64: string) => new Uint8Array(inflateSync(Buffer.from(base64, 'base64')));

async function thereAndBack(rows: readonly Row[], keys: readonly string[]): Promise<readonly Row[]> {
  const packed = await packView(inBatches(rows), keys);
  expect(packed.records).toBe(rows.length);
  const times = unpackTimes(bytesOf(packed.times), rows.length);
  const columns = packed.columns.map(
    ([key, text]) => [key, unpackColumn(bytesOf(text), rows.length)] as const,
  );
  return rows.map((_, row) => [
    times[row] ?? Number.NaN,
    Object.fromEntries(
      columns.flatMap(([key, column]) => {
        const value = valueAt(column, row);
        return value === undefined ? [] : [[key, value]];
      }),
    ),
  ]);
}

const instants = fc.oneof(
  fc.integer({ min: FIRST_RECORD_TIME, max: LAST_RECORD_TIME }),
  fc.integer({ min: -5, max: 5 }),
);
/** Of one kind each, as keys mostly are, and of all. */
const columns: readonly fc.Arbitrary<Value>[] = [
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -100_000, max: 100_000 }).map((whole) => whole / 1_000),
  fc.constantFrom(0, -0, 21.499999999999996, 5e-324, -1.7976931348623157e308),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\uD800', '</script>', '\u202E', '\u0000', ''),
  fc.oneof(fc.boolean(), fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true })),
];
const KEYS = columns.map((_, place) => `key ${place}`);

test('random series come out of a page as they were put in', async () => {
  const row = fc.record(Object.fromEntries(columns.map((values, place) => [`key ${place}`, values])), {
    requiredKeys: [],
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(instants, row), { maxLength: 200 }), async (drawn) => {
      const rows = drawn
        .toSorted(([a], [b]) => a - b)
        .map(([time, values]): Row => [time, { ...(values as Row[1]) }]);
      expect(await thereAndBack(rows, KEYS)).toStrictEqual(rows);
    }),
    { numRuns: 300 },
  );
});

/** As uneven as chance, and the same each time. */
const random = (at: number) => (Math.imul(at + 1, 0x9e3779b1) >>> 0) / 2 ** 32;

test('a key that is missing in some parts of many records is missing there alone', async () => {
  const rows = Array.from({ length: 2 * PART_ROWS + 17 }, (_, at): Row => {
    const time = -1_000_000 + at * 500_000 + Math.floor(random(at) * 1_000);
    return [
      time,
      {
        counter: at,
        ...(at > PART_ROWS && at < PART_ROWS + 100 && { seldom: random(at) }),
        ...(at < PART_ROWS && { calibrated: Math.round(random(at) * 500) * 1.013 + 0.3 }),
      },
    ];
  });
  expect(await thereAndBack(rows, ['calibrated', 'counter', 'seldom'])).toStrictEqual(rows);
  // As many at once as nobody reads them.
  const [some, all] = await Promise.all(
    [1_000, rows.length].map((size) => packView(inBatches(rows, size), ['calibrated', 'counter', 'seldom'])),
  );
  expect(all).toStrictEqual(some);
});

test('the bytes of the same records stay the same', async () => {
  const kinds = [21.5, 'on', true, -0, false, 'off'] as const;
  const rows = Array.from({ length: PART_ROWS + 9_000 }, (_, at): Row => {
    const chance = random(at);
    const values = {
      decimal: Math.round(chance * 4_000) / 100 - 10,
      listed: Math.round(chance * 300) * 1.013 - 100.3,
      zeros: at % 3 === 0 ? -0 : (at % 7) * 1.1,
      plain: chance * 1e9 - 5e8,
      large: at % 2 === 0 ? 2 ** 50 - at : -(2 ** 50) + at,
      mixed: kinds[Math.floor(chance * kinds.length)] ?? 0,
    };
    const some = at % 5 === 4 ? { decimal: values.decimal, mixed: values.mixed } : values;
    return [at * 1_000_000 + Math.floor(chance * 2_000), some];
  });
  rows.push([LAST_RECORD_TIME, { decimal: 1 }]);
  rows.unshift([FIRST_RECORD_TIME, { mixed: '\uD800' }]);
  const keys = ['decimal', 'large', 'listed', 'mixed', 'plain', 'zeros'];
  const packed = await packView(inBatches(rows), keys);
  const hash = createHash('sha256');
  for (const base64 of [packed.times, ...packed.columns.map(([, column]) => column)])
    hash.update(bytesOf(base64));
  expect(hash.digest('hex')).toBe('2e6e90f459e71c9ca6c80b36192ce73639812ffd8ae77bc6cdfc27bdb1aa9f43');
});

test('nothing at all is no columns', async () => {
  const packed = await packView(inBatches([]), ['a']);
  expect(packed).toMatchObject({ records: 0, columns: [] });
  expect(unpackTimes(bytesOf(packed.times), 0)).toHaveLength(0);
});

test('a page that was cut off says so', async () => {
  const { times } = await packView(
    inBatches([
      [0, {}],
      [1e15, {}],
    ]),
    [],
  );
  expect(() => unpackTimes(bytesOf(times).subarray(0, -1), 2)).toThrow('The data of this page is cut off.');
});
