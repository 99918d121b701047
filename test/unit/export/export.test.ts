import type { FileFormat } from '#shared/domain/file-formats.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportRecords } from '#core/export/export.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME } from '#shared/values/time.ts';
import { importChunks, RECEIVED } from '../../helpers/files/imports.ts';

async function* inBatches(list: readonly StoredRecord[], size = 3): AsyncGenerator<StoredRecord[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

const keysOf = (list: readonly StoredRecord[]) => [...new Set(list.flatMap(({ keys }) => keys))].toSorted();

async function* exported(list: readonly StoredRecord[], format: FileFormat, keys = keysOf(list)) {
  for await (const { bytes } of exportRecords({ scan: inBatches(list), keys, format })) yield bytes;
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of bytes) text += decoder.decode(piece, { stream: true });
  return text;
}

function record(timestamp: number, data: readonly (readonly [string, Value])[]): StoredRecord {
  return {
    timestamp,
    received: RECEIVED,
    keys: data.map(([key]) => key),
    values: data.map(([, value]) => value),
  };
}

/** Records as pairs in the order of their keys, since a file may hold the keys in another order. */
const comparable = (list: readonly StoredRecord[]) =>
  list.map(({ timestamp, keys, values }) => ({
    timestamp,
    data: keys.map((key, index) => [key, values[index]] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  }));

const TRICKY = [
  '',
  ' ',
  '42',
  '-0',
  'true',
  'NaN',
  'null',
  'NA',
  '2015-02-04',
  '=1+1',
  '"',
  '""',
  'a,b',
  'a;b',
  'two\nlines',
  'two\r\nlines',
  '\uFEFF',
  '☃ ünï',
];

function records(text: fc.Arbitrary<string>): fc.Arbitrary<StoredRecord[]> {
  const key = fc.oneof(
    fc.constantFrom('temperature', '__proto__', '0', 'index', 'time', 'a.b', ' blank ', 'say "x"'),
    text.filter((one) => one !== '' && one !== 'timestamp' && !one.includes(',')),
  );
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(-0, 5e-324, 2 ** 53 + 2),
    fc.boolean(),
    text,
    fc.constantFrom(...TRICKY),
  );
  const data = fc.uniqueArray(fc.tuple(key, value), {
    minLength: 1,
    maxLength: 5,
    selector: ([name]) => name,
  });
  const time = fc.integer({ min: FIRST_RECORD_TIME, max: LAST_RECORD_TIME });
  return fc.array(
    fc.tuple(time, data).map(([timestamp, pairs]) => record(timestamp, pairs)),
    { minLength: 1, maxLength: 12 },
  );
}

describe('exported records', () => {
  const two = [
    record(1_423_072_260_000_001, [
      ['t', 21.5],
      ['door', 'open, "wide"'],
    ]),
    record(1_423_072_261_000_000, [['on', true]]),
  ];

  test('are lines of JSON, time first', async () => {
    expect(await textOf(exported(two, 'ndjson'))).toBe(
      '{"timestamp":"2015-02-04T17:51:00.000001Z","t":21.5,"door":"open, \\"wide\\""}\n{"timestamp":"2015-02-04T17:51:01.000000Z","on":true}\n',
    );
  });

  test('are CSV with a column for each key', async () => {
    expect(await textOf(exported(two, 'csv', ['t', 'door', 'on']))).toBe(
      'timestamp,"t","door","on"\r\n2015-02-04T17:51:00.000001Z,21.5,"open, ""wide""",\r\n2015-02-04T17:51:01.000000Z,,,true\r\n',
    );
  });

  test('are only those that have one of the keys', async () => {
    expect(await textOf(exported(two, 'ndjson', ['on']))).toBe(
      '{"timestamp":"2015-02-04T17:51:01.000000Z","on":true}\n',
    );
    expect(await textOf(exported(two, 'csv', ['on']))).toBe(
      'timestamp,"on"\r\n2015-02-04T17:51:01.000000Z,true\r\n',
    );
  });

  test('come in pieces, however many there are, and stop when nobody wants them', async () => {
    const controller = new AbortController();
    let scanned = 0;
    async function* endless(): AsyncGenerator<StoredRecord[]> {
      for (;;) yield Array.from({ length: 1000 }, () => record(++scanned, [['t', scanned]]));
    }
    const endlessly = exportRecords({
      scan: endless(),
      keys: ['t'],
      format: 'ndjson',
      signal: controller.signal,
    });
    await expect(
      (async () => {
        let pieces = 0;
        for await (const piece of endlessly) {
          expect(piece.bytes.byteLength).toBeLessThan(100_000);
          if (++pieces === 5) controller.abort(new Error('closed'));
        }
      })(),
    ).rejects.toThrow('closed');
    expect(scanned).toBeLessThan(20_000);
  });

  test('come back equal from NDJSON, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        records(
          fc.string({
            unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 1 }), fc.constantFrom('\ud800', '\udc00')),
          }),
        ),
        async (originals) => {
          const imported = await importChunks(exported(originals, 'ndjson'), {
            type: 'application/x-ndjson',
          });
          expect(imported.records.map((one) => one.timestamp)).toEqual(originals.map((one) => one.timestamp));
          expect(comparable(imported.records)).toEqual(comparable(originals));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('come back equal from CSV, texts that look like numbers too', async () => {
    await fc.assert(
      fc.asyncProperty(records(fc.string({ unit: 'binary' })), async (originals) => {
        const imported = await importChunks(exported(originals, 'csv'), { type: 'text/csv' });
        expect(comparable(imported.records)).toEqual(comparable(originals));
      }),
      { numRuns: 200 },
    );
  });
});
