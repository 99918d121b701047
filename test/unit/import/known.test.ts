import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import { examine } from '#core/import/examine-work.ts';
import { importRecords } from '#core/import/import.ts';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore, StoredRecord, Value } from '#core/store/store.ts';
import { createThreads } from '#core/threads/threads.ts';
import { formatMicros } from '#shared/values/time.ts';
import { clockOf, PRESENT } from '../../helpers/clock.ts';
import { overlaid } from '../../helpers/store/overlaid.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { scanned } from '../../suites/record-store/harness.ts';

/* docs/local-api.md, "Import and export": what a device has already is told beforehand, and skipped where that is wanted. */

const threads = createThreads({ script: WORKER_SCRIPT });
afterAll(() => threads.close());

let directory: string;
let store: RecordStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-known-'));
  store = await openLog({ directory, threads, limits: { walBytes: 8192, segmentRows: 64, lateRuns: 2 } });
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

const bodyOf = (records: readonly StoredRecord[]) => {
  const lines = records.map(({ timestamp, keys, values }) =>
    JSON.stringify({
      timestamp: formatMicros(timestamp),
      ...Object.fromEntries(keys.map((key, i) => [key, values[i]])),
    }),
  );
  async function* bytes() {
    yield Buffer.from(lines.join('\n'));
  }
  return { bytes: bytes(), size: null, type: 'application/x-ndjson' };
};

/** In a thread, or here, where no thread reads the store. */
const seenBy = (inThread: boolean): RecordStore => (inThread ? store : overlaid(store, { threadWork: null }));

const bring = (records: readonly StoredRecord[], inThread: boolean) =>
  importRecords({
    body: bodyOf(records),
    settings: { existing: 'skip' },
    records: seenBy(inThread),
    device: 'd',
    clock: clockOf(() => 7),
    progress: () => {},
    signal: new AbortController().signal,
  });

const look = (records: readonly StoredRecord[], inThread: boolean, device: string | null = 'd') =>
  examine({
    body: bodyOf(records),
    settings: {},
    records: seenBy(inThread),
    device,
    now: PRESENT,
    progress: () => {},
    signal: new AbortController().signal,
  });

const identity = ({ timestamp, keys, values }: StoredRecord) =>
  JSON.stringify([timestamp, ...keys.map((key, i) => JSON.stringify([key, values[i]])).toSorted()]);

/** The records of one list that another has not, each as often as there are more of it. */
function missing(list: readonly StoredRecord[], from: readonly StoredRecord[]): StoredRecord[] {
  const left = new Map<string, number>();
  for (const one of from) left.set(identity(one), (left.get(identity(one)) ?? 0) + 1);
  return list.filter((one) => {
    const count = left.get(identity(one)) ?? 0;
    if (count > 0) left.set(identity(one), count - 1);
    return count === 0;
  });
}

const value: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom(0, -0, 1, 2.5, 'on', 'off', true, false, ''),
  fc.integer({ min: 0, max: 3 }),
);
const record = fc
  .record({
    timestamp: fc.integer({ min: 0, max: 40 }).map((n) => 1_700_000_000_000_000 + n * 1000),
    data: fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, { minKeys: 1 }),
  })
  .map(({ timestamp, data }): StoredRecord => ({
    timestamp,
    received: 7,
    keys: Object.keys(data).toSorted(),
    values: Object.keys(data)
      .toSorted()
      .map((key) => data[key]!),
  }));
const list = fc.array(record, { maxLength: 80 });

describe('what a device has already', () => {
  test.each([true, false])('is skipped, each as often as it is there (in a thread: %s)', async (inThread) => {
    await fc.assert(
      fc.asyncProperty(fc.array(list, { maxLength: 3 }), list, async (stored, own) => {
        await store.drop('d');
        for (const some of stored) await store.append('d', some);
        const before = await scanned(store, 'd');
        // Some of what is stored, in any order, and some of its own.
        const file = [...before.filter((_, i) => i % 2 === 0).toReversed(), ...own];
        if (file.length === 0) return;
        const fresh = missing(file, before);
        expect((await look(file, inThread)).present).toBe(file.length - fresh.length);
        expect((await look(file, inThread, null)).present).toBe(null);
        const result = await bring(file, inThread);
        expect([result.stored, result.present]).toEqual([fresh.length, file.length - fresh.length]);
        const after = await scanned(store, 'd');
        expect(after.map(identity).toSorted()).toEqual([...before, ...fresh].map(identity).toSorted());
        expect((await bring(file, inThread)).stored).toBe(0);
      }),
      { numRuns: inThread ? 40 : 120, seed: 3 },
    );
  });

  test('is found in a long file, sorted or not, and again where only part of it was there', async () => {
    const all = Array.from({ length: 20_000 }, (_, n): StoredRecord => ({
      timestamp: 1_700_000_000_000_000 + Math.floor(n / 2) * 1_000_000,
      received: 7,
      keys: ['n'],
      values: [n % 5],
    }));
    await bring(all.slice(0, 9000), true);
    expect(await bring(all, true)).toMatchObject({ stored: 11_000, present: 9000 });
    const shuffled = all.map((_, i) => all[(i * 7919) % all.length]!);
    expect(await look(shuffled, true)).toMatchObject({ records: 20_000, present: 20_000 });
    expect(await bring(shuffled, true)).toMatchObject({ stored: 0, present: 20_000 });
    expect(await store.count('d')).toBe(20_000);
  });
});

describe('an examination', () => {
  const at = (...seconds: number[]) =>
    seconds.map((second): StoredRecord => ({
      timestamp: 1_700_000_000_000_000 + second * 1_000_000,
      received: 0,
      keys: ['a'],
      values: [second],
    }));

  test('tells what a naive look at all times tells', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 60 }),
        async (seconds) => {
          const sorted = seconds.toSorted((a, b) => a - b);
          const steps = sorted.slice(1).map((s, i) => s - sorted[i]!);
          const positive = steps.filter((s) => s > 0).toSorted((a, b) => a - b);
          const usual = positive[positive.length >>> 1];
          const gaps = usual === undefined ? [] : steps.filter((s) => s > 10 * usual);
          const longest = Math.max(0, ...gaps);
          expect(await look(at(...seconds), false, null)).toMatchObject({
            records: seconds.length,
            unreadable: 0,
            repeated: steps.filter((s) => s === 0).length,
            steps_back: seconds.filter((s, i) => i > 0 && s < seconds[i - 1]!).length,
            interval_us: usual === undefined ? null : usual * 1e6,
            gaps: gaps.length,
            longest_gap_us: longest > 0 ? longest * 1e6 : null,
          });
        },
      ),
      { numRuns: 300, seed: 9 },
    );
  });

  test('names the first rows that cannot be read, and stores nothing', async () => {
    async function* bytes() {
      yield Buffer.from('time,a\n2026-01-01T00:00:00Z,1\nnever,2\n2026-01-01T00:00:02Z,3\n');
    }
    const body = { bytes: bytes(), size: null, type: 'text/csv' };
    const { signal } = new AbortController();
    const told = await examine({
      body,
      settings: {},
      records: store,
      device: 'd',
      now: PRESENT,
      progress: () => {},
      signal,
    });
    expect(told).toMatchObject({ records: 2, unreadable: 1, present: 0, errors: [{ line: 3 }] });
    expect(await store.count('d')).toBe(0);
  });
});
