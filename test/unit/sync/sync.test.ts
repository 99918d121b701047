import { beforeEach, describe, expect, test } from 'vitest';
import { Refusal } from '#core/base/errors.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { contentOf, idOf } from '#core/sync/content.ts';
import { lineOf, readSent, takeIn } from '#core/sync/lines.ts';
import { mergeRecords } from '#core/sync/merge.ts';
import { isRemoved } from '#core/sync/removals.ts';
import { ALL, digestsOf, idsOf } from '#core/sync/survey-records.ts';
import { FairSemaphore } from '#core/turns/semaphore.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { counting, record, scanned } from '../../suites/record-store/harness.ts';

let store: RecordStore;
beforeEach(() => {
  store = createMemoryRecordStore();
});
const surveyed = () => ({
  records: store,
  device: 'd',
  semaphore: new FairSemaphore(1).of(null),
  signal: undefined,
});

describe('the id of a record', () => {
  test('is what docs/local-api.md says, on every machine', () => {
    const one = record(1_772_483_421_202_946, { temperature: 20.5, state: 'idle' });
    expect(contentOf(one)).toBe('[1772483421202946,"state","idle","temperature",20.5]');
    expect(idOf(contentOf(one))).toBe('18074b6f3347b692aec8ab2c630e340f');
  });

  test('tells kinds of values apart, and neither the order of keys, nor receipt, nor -0', () => {
    const ids = [1, '1', true, 'true', 0, false, '', 1.5].map((value) => contentOf(record(1, { a: value })));
    expect(new Set(ids).size).toBe(ids.length);
    expect(contentOf({ ...record(1, { b: 1, a: -0 }), received: 9 })).toBe(
      contentOf(record(1, { a: 0, b: 1 })),
    );
  });

  test('is the same whether a record is read whole or walked past cell by cell', async () => {
    const some = [
      record(1, { b: true, a: 'ä\ud800"' }),
      record(1, { __proto__x: -0 }),
      record(2, { '10': 2, '9': 1e21 }),
    ];
    await store.append('d', some);
    const { ids, times } = await idsOf({ start: 1, end: 2 }, { prefix: '', most: 10 }, surveyed());
    expect(ids).toEqual(some.map((one) => idOf(contentOf(one))));
    expect(times).toEqual([1, 1, 2]);
  });
});

test('digests of parts add up to that of the whole, and leave out what does not count', async () => {
  await store.append('d', counting(0, 1000));
  const range = { start: 0, end: 999_000 };
  const whole = await digestsOf(range, 1, ALL, surveyed());
  const parts = await digestsOf(range, 7, ALL, surveyed());
  const sum = parts.parts.reduce((total, { digest }) => (total + BigInt(`0x${digest}`)) % 2n ** 128n, 0n);
  expect(sum.toString(16).padStart(32, '0')).toBe(whole.parts[0]?.digest);
  expect(parts.parts.map(({ records }) => records).reduce((a, b) => a + b)).toBe(1000);
  const removals = [{ start: 10_000, end: 19_000, at: 1_012_000 }];
  const counted = await digestsOf(range, 1, { until: 1_099_000, ahead: Infinity, removals }, surveyed());
  expect([counted.parts[0]?.records, counted.removed]).toEqual([97, 3]);
  expect(isRemoved(removals, 12_000, 1_012_001)).toBe(false);
});

describe('lines', () => {
  test('carry a record as it is, odd texts, keys and numbers included', async () => {
    const cells: [string, number | string | boolean][] = [
      ['__proto__', -0],
      ['10', 1e-7],
      ['"', '\ud800\n'],
      ['a.b', true],
    ];
    const odd: StoredRecord = {
      timestamp: -1,
      received: 5,
      keys: cells.map(([key]) => key),
      values: cells.map(([, value]) => value),
    };
    const [read] = await readSent(Buffer.from(lineOf({ record: odd, occurrence: 3 })));
    expect(read?.occurrence).toBe(3);
    expect(contentOf(read?.record ?? odd)).toBe(contentOf(odd));
    expect(read?.record).toMatchObject({ timestamp: -1, received: 5 });
    const at = read?.record.keys.indexOf('__proto__') ?? -1;
    expect(Object.is(read?.record.values[at], -0)).toBe(true);
  });

  test.each([
    ['[]', 'record 1: must be {"timestamp", "received", "values"}, got []'],
    ['{', 'record 1 is not valid JSON'],
    ['{"timestamp":"2026-01-01T00:00:00Z","values":{"a":1}}', 'record 1: received must be an ISO 8601 time'],
    ['{"received":"2026-01-01T00:00:00Z","values":{"a":1}}', 'record 1: timestamp must be an ISO 8601 time'],
    [
      '{"timestamp":"2026-01-01T00:00:00Z","received":"2026-01-01T00:00:00Z","values":{}}',
      'record 1: must hold at least one key',
    ],
    [
      '{"timestamp":"2026-01-01T00:00:00Z","received":"2026-01-01T00:00:00Z","values":{"a":1},"occurrence":-1}',
      'record 1: occurrence must be a whole number from 0',
    ],
  ])('%s is refused by name', async (line, message) => {
    await expect(readSent(Buffer.from(line))).rejects.toThrow(message);
    await expect(readSent(Buffer.from(line))).rejects.toBeInstanceOf(Refusal);
  });
});

describe('a body of lines', () => {
  const LIMIT = 2 * 1024 * 1024;
  async function* pieces(count: number, length: number, read: { pieces: number }) {
    for (let n = 0; n < count; n++) {
      read.pieces++;
      yield Buffer.alloc(length, 10);
    }
  }

  test('of 2 MiB is taken in, and of a byte more refused as soon as it is there', async () => {
    const read = { pieces: 0 };
    expect(await takeIn({ bytes: pieces(4, LIMIT / 4, read), size: null })).toHaveLength(LIMIT);
    const tooLarge = takeIn({ bytes: pieces(9, LIMIT / 4 + 1, read), size: null });
    await expect(tooLarge).rejects.toMatchObject({
      status: 413,
      message: expect.stringMatching(/at most 2097152 bytes/),
    });
    expect(read.pieces).toBe(8);
  });

  test('that says that it is too large is not read at all', async () => {
    const read = { pieces: 0 };
    const tooLarge = takeIn({ bytes: pieces(9, LIMIT, read), size: LIMIT + 1 });
    await expect(tooLarge).rejects.toMatchObject({ status: 413 });
    expect(read.pieces).toBe(0);
  });
});

describe('a merge', () => {
  const merge = (
    sent: readonly { record: StoredRecord; occurrence: number }[],
    removals: Parameters<typeof isRemoved>[0] = [],
  ) => mergeRecords({ records: store, device: 'd', sent, removals: async () => removals, signal: undefined });

  test('stores as many of equal records as one side had, and the same again stores nothing', async () => {
    const same = record(5, { n: 1 });
    await store.append('d', [same]);
    const sent = [0, 1, 2].map((occurrence) => ({ record: same, occurrence }));
    expect(await merge(sent)).toEqual({ stored: 2, present: 1, removed: 0 });
    expect(await merge(sent)).toEqual({ stored: 0, present: 3, removed: 0 });
    expect(await scanned(store, 'd')).toHaveLength(3);
  });

  test('leaves out what was removed after it had been received, and is no sign of life', async () => {
    const sent = counting(0, 10).map((one) => ({ record: one, occurrence: 0 }));
    const removals = [{ start: null, end: null, at: 1_004_000 }];
    expect(await merge(sent, removals)).toEqual({ stored: 5, present: 0, removed: 5 });
    expect((await store.summary('d')).lastSeen).toBeNull();
  });
});
