import { describe, expect, test } from 'vitest';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME } from '#shared/values/time.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';
import { byCodeUnits } from '#core/store/blocks/block/row-slice.ts';
import { recordJson } from '#core/store/record-json.ts';
import { pageText, record, scanned, type Harness } from './harness.ts';

/** Records with their keys in order, to compare them whatever order a store answers. */
function sorted(records: readonly StoredRecord[]) {
  return records.map(({ keys, values, ...times }) => ({
    ...times,
    fields: keys.map((key, i) => [key, values[i]] as const).toSorted(([a], [b]) => byCodeUnits(a, b)),
  }));
}

/** Stores the records, oldest first, and expects them back unchanged: by scan, and by page byte for byte. */
async function expectKept(harness: Harness, records: readonly StoredRecord[]): Promise<void> {
  await harness.store.append('d', records);
  expect(sorted(await scanned(harness.store, 'd'))).toStrictEqual(sorted(records));
  const json = `[${records
    .toReversed()
    .map((one) => recordJson(one))
    .join(',')}]`;
  expect((await pageText(harness.store, 'd', { offset: 0, limit: 10_000 })) === json).toBe(true);
}

const each = (values: readonly Value[]) => values.map((value, i) => record(i, { v: value }));

export function valueTests(harness: Harness): void {
  describe('values', () => {
    test('keeps every number exactly', async () => {
      const numbers = [
        0,
        -0,
        1,
        -1,
        0.1,
        1 / 3,
        22.123456,
        5e-324,
        -5e-324,
        2.2250738585072014e-308,
        1e308,
        -1e308,
      ];
      const whole = [2 ** 31, -(2 ** 31), 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 2 ** 64, 1e21, 1e-7];
      await expectKept(harness, each([...numbers, ...whole, Number.MAX_VALUE, Number.MIN_VALUE]));
    });

    test('keeps texts and booleans', async () => {
      const odd = [
        '',
        ' ',
        '"quoted" \\ /',
        '\u0000\u001f\u007f\u2028',
        'grün 温度 🌡️',
        '\ud83d',
        '\udf21x',
        'a\udf21\ud83d',
      ];
      await expectKept(
        harness,
        each([...odd, 'true', 'null', '12', true, false, 'x'.repeat(1 << 20), 'ü'.repeat(70_000)]),
      );
    });

    test('keeps a key whose type changes', async () => {
      await expectKept(harness, each([1, 'one', true, 1.5, '', false, 2 ** 60, 'two', 0]));
      const { keys } = await harness.store.summary('d');
      expect(keys).toEqual([{ key: 'v', count: 9, numeric: 6 }]);
    });

    test('keeps timestamps from 1700 to 2200 to the microsecond', async () => {
      const times = [
        FIRST_RECORD_TIME,
        FIRST_RECORD_TIME + 1,
        Date.UTC(1899, 11, 31) * 1000 + 7,
        -1_000_001,
        -1,
        0,
        1,
        999,
        Date.UTC(2026, 2, 2, 20, 30, 21, 202) * 1000 + 946,
        LAST_RECORD_TIME - 1,
        LAST_RECORD_TIME,
      ];
      await expectKept(
        harness,
        times.map((time) => record(time, { v: 1 })),
      );
      expect(await harness.store.summary('d')).toMatchObject({
        first: FIRST_RECORD_TIME,
        last: LAST_RECORD_TIME,
      });
    });

    test('keeps a time of receipt that has nothing to do with the timestamp', async () => {
      await expectKept(harness, [
        { timestamp: 5, received: LAST_RECORD_TIME, keys: ['a'], values: [1] },
        { timestamp: 6, received: 0, keys: ['a'], values: [2] },
        { timestamp: 7, received: 1_767_225_600_123_457, keys: ['a'], values: [3] },
      ]);
    });
  });

  describe('keys', () => {
    const odd = [
      '__proto__',
      'constructor',
      'toString',
      '0',
      '10',
      '9',
      'A',
      'a',
      'ä',
      'temp °C',
      'a.b.0',
      '"',
      '\\',
    ];
    const astral = ['\uffff', '\ud83c\udf21', '\ud800', ' ', '\u0001', 'key'.repeat(40)];

    test('may be any text', async () => {
      const keys = [...odd, ...astral];
      await expectKept(harness, [{ timestamp: 1, received: 2, keys, values: keys.map((_, i) => i) }]);
    });

    test('are listed in UTF-16 code unit order', async () => {
      const keys = [...odd, ...astral];
      await harness.store.append(
        'd',
        keys.map((key, i) => ({ timestamp: i, received: i, keys: [key], values: [i] })),
      );
      expect(await harness.store.keys('d')).toEqual(keys.toSorted(byCodeUnits));
    });

    test('come and go', async () => {
      const sparse = Array.from({ length: 400 }, (_, i) =>
        record(i, { always: i, ...(i % 7 === 0 && { [`k${i % 5}`]: i }), ...(i > 200 && { late: `t${i}` }) }),
      );
      await expectKept(harness, sparse);
      expect(await harness.store.keys('d')).toEqual(['always', 'k0', 'k1', 'k2', 'k3', 'k4', 'late']);
    });

    test('may be a thousand, in one record or over many', async () => {
      const names = Array.from({ length: 1000 }, (_, i) => `key-${i}`);
      await expectKept(harness, [
        {
          timestamp: 0,
          received: 0,
          keys: names.slice(0, 256),
          values: names.slice(0, 256).map((_, i) => i / 8),
        },
        ...names.map((name, i) => record(i + 1, { [name]: i, [`${name}!`]: name })),
      ]);
      expect(await harness.store.keys('d')).toHaveLength(2000);
    });

    test('are counted, with how many of their values are numbers', async () => {
      const { store } = harness;
      await store.append('d', [
        record(1, { a: 1, b: 'x' }),
        record(2, { a: true }),
        record(3, { a: 'y', c: 0 }),
      ]);
      expect(await store.summary('d')).toMatchObject({
        records: 3,
        first: 1,
        last: 3,
        keys: [
          { key: 'a', count: 3, numeric: 2 },
          { key: 'b', count: 1, numeric: 0 },
          { key: 'c', count: 1, numeric: 1 },
        ],
      });
    });
  });
}
