import type { FileFormat } from '#shared/domain/file-formats.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportRecords } from '#core/export/export.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME } from '#shared/values/time.ts';
import { importFile, RECEIVED } from '../../helpers/files/imports.ts';

/* What was exported comes back, and exported again it is the same bytes. */

const LONGEST_TEXT = 65_536;
const LONGEST_KEY = 128;

/** A record with its keys in the order in which the store gives them. */
function inOrder({ keys, values, ...rest }: StoredRecord): StoredRecord {
  const pairs = keys.map((name, index) => [name, values[index]] as const);
  pairs.sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...rest, keys: pairs.map(([name]) => name), values: pairs.flatMap(([, held]) => held ?? []) };
}

async function bytesOf(list: readonly StoredRecord[], format: FileFormat): Promise<Buffer> {
  const keys = [...new Set(list.flatMap((one) => one.keys))].toSorted();
  async function* scan() {
    yield list.map(inOrder);
  }
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of exportRecords({ scan: scan(), keys, format })) pieces.push(bytes);
  return Buffer.concat(pieces);
}

function record(timestamp: number, data: Readonly<Record<string, Value>>): StoredRecord {
  return { timestamp, received: RECEIVED, keys: Object.keys(data), values: Object.values(data) };
}

async function expectSameBytes(list: readonly StoredRecord[], chunk = 7919): Promise<void> {
  for (const format of ['csv', 'ndjson'] as const) {
    const before = await bytesOf(list, format);
    const { records } = await importFile(before, { chunk });
    expect(records.length).toBe(list.length);
    expect(records.map(({ timestamp }) => timestamp)).toEqual(list.map(({ timestamp }) => timestamp));
    expect((await bytesOf(records, format)).equals(before), format).toBe(true);
  }
}

const HOSTILE = [
  '',
  ' ',
  ' edge ',
  '\t',
  'a\tb\tc\n',
  'a;b;c\n',
  'a|b\r',
  '\r',
  '\n',
  '\r\n',
  '"',
  '""',
  '","',
  '\0',
  '1',
  '007',
  '-0',
  '1,000.5',
  '1.000,5',
  '21,5',
  '1e999',
  '9007199254740993',
  'NaN',
  'null',
  'true',

  '2015-02-04',
  '02/03/2015',
  '2015-02-04 17:51:00',
  'sep=;',
  'PK\u0003\u0004',
  '%PDF-',
  '{"a":1}',
  '[',
  '#',
  'timestamp',
  '\uFEFF',
  '\u2028',
  '☃',
  '𝒳',
  '=1+1',
];

const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .tuple(fc.constantFrom(...HOSTILE), fc.integer({ min: 2, max: 60 }))
    .map(([one, times]) => one.repeat(times)),
);
const long = fc
  .tuple(
    fc.constantFrom('x', '"', 'a\tb\n', '2020-01-01,b,c,d\n', 'é;', '\r\n'),
    fc.constantFrom(60_000, LONGEST_TEXT),
  )
  .map(([one, length]) => one.repeat(length).slice(0, length));
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 3, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(-0, 5e-324, 1e308, 2 ** 53 + 2, 1e20, 123_456_789_012_345_680_000, 0.1, 7),
  },
  { weight: 1, arbitrary: fc.boolean() },
);
const key = fc
  .oneof(
    fc.constantFrom(
      't',
      'index',
      'no',
      'time',
      'timestamp column',
      '__proto__',
      ' blank ',
      'say "x"',
      'a\nb',
      'a\tb',
      'zip',
      '1',
      '2015-02-04',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    fc.string({ unit: 'grapheme-ascii', minLength: 100, maxLength: LONGEST_KEY }),
  )
  .filter(
    (one) => one.trim() !== '' && one !== 'timestamp' && !one.includes(',') && one.length <= LONGEST_KEY,
  );
const time = fc.oneof(
  fc.integer({ min: FIRST_RECORD_TIME, max: LAST_RECORD_TIME }),
  fc.constantFrom(0, FIRST_RECORD_TIME, LAST_RECORD_TIME, RECEIVED),
);

const records = (one: fc.Arbitrary<Value>, most: number) =>
  fc
    .array(
      fc.tuple(
        time,
        fc.uniqueArray(fc.tuple(key, one), { minLength: 1, maxLength: most, selector: ([name]) => name }),
      ),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((list) =>
      list.map(([timestamp, pairs]): StoredRecord => {
        return {
          timestamp,
          received: RECEIVED,
          keys: pairs.map(([name]) => name),
          values: pairs.map(([, held]) => held),
        };
      }),
    );

describe('what was exported comes back as the same bytes', () => {
  test('whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(records(value, 6), fc.integer({ min: 1, max: 500 }), (list, chunk) =>
        expectSameBytes(list, chunk),
      ),
      { seed: 20_261_121, numRuns: 150 },
    );
  });

  test('with texts as long as they may be', async () => {
    await fc.assert(
      fc.asyncProperty(records(fc.oneof(long, value), 3), (list) => expectSameBytes(list)),
      { seed: 20_261_122, numRuns: 6 },
    );
  });

  test.each([
    [
      'a text of tabs and line breaks',
      [record(0, { t: 'q' }), record(1000, { t: 'a\tb\tc\n'.repeat(40) }), record(2000, { t: 'b' })],
    ],
    [
      'the same with semicolons',
      [record(0, { t: 'q' }), record(1000, { t: 'a;b;c\n'.repeat(400) }), record(2000, { t: 'b' })],
    ],
    [
      'a first text as long as may be',
      [record(0, { t: 'x'.repeat(LONGEST_TEXT) }), record(1000, { t: 'b' })],
    ],
    [
      'a second text whose lines reach past the beginning',
      [
        record(0, { t: 'q' }),
        record(1000, { t: '2020-01-01,b,c,d\n'.repeat(3855) }),
        record(2000, { t: 'b' }),
      ],
    ],
    [
      'names that fill the beginning',
      [
        record(
          0,
          Object.fromEntries(
            Array.from({ length: 200 }, (_, n) => [`${String(n).padStart(4, '0')}${'n'.repeat(120)}`, n]),
          ),
        ),
        ...Array.from({ length: 4 }, (_, set) =>
          record(
            1000 * (set + 1),
            Object.fromEntries(
              Array.from({ length: 200 }, (_each, n) => [
                `${set}${String(n).padStart(4, '0')}${'k'.repeat(115)}`,
                `v${n}`,
              ]),
            ),
          ),
        ),
      ],
    ],
    ['one text that needs its quotes and looks like a number', [record(0, { 'say "x"': '1,000' })]],
    [
      'texts that are all leading zeros, among numbers',
      [record(0, { zip: '00501', n: 501 }), record(1, { zip: '10501', n: 10501 })],
    ],
  ])('%s', async (_, list) => {
    await expectSameBytes(list);
  });
});
