import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { STATES } from '#core/survey/states.ts';
import { MOST_OF_TEXT } from '#core/survey/state-runs.ts';
import { STATISTICS, type KeyStatistics } from '#core/survey/statistics.ts';
import { surveyDevice } from '#core/survey/survey-device.ts';
import { FairSemaphore } from '#core/turns/semaphore.ts';
import { counting, record } from '../../suites/record-store/harness.ts';
import { naiveRuns, naiveStatistics, readingsOf } from './naive-survey.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { LIMITS, surveyOptions, surveyStores } from './survey-stores.ts';

const stores = surveyStores();

const KEYS = ['n', 'door', 'rare', 'unknown'];
const DOORS = ['open', 'shut', 'ajar', true, false, 7] as const;

/** Uploads small enough to lie in memory row by row, and large ones that are blocks; some of them late. */
const upload = fc.record({
  start: fc.integer({ min: 0, max: 3000 }),
  count: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 500, max: 1500 })),
  step: fc.constantFrom(0, 1, 1, 40),
  lasts: fc.constantFrom(1, 3, 200),
});
const bound = fc.integer({ min: -10, max: 70_000 });
const span = fc.tuple(bound, bound).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));

function recordsOf({ start, count, step, lasts }: typeof upload extends fc.Arbitrary<infer T> ? T : never) {
  return Array.from({ length: count }, (_, i): StoredRecord => {
    const door = DOORS[Math.floor((start + i) / lasts) % DOORS.length]!;
    const rare = (start + i) % 97 === 0;
    return record(start + i * step, { n: (i * 7919) % 1009, door, ...(rare && { rare: `at ${i % 5}` }) });
  });
}

/** Sums of many numbers differ in their last digits by the order in which they were added. */
function rounded({ mean, sd, ...rest }: KeyStatistics) {
  const round = (value: number | null) => value && Number(value.toPrecision(9));
  return { ...rest, mean: round(mean), sd: round(sd) };
}

describe('a survey says what the naive one says, wherever the records lie and however they came:', () => {
  test('statistics and runs of states', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(upload, { minLength: 1, maxLength: 4 }),
          span,
          fc.integer({ min: 1, max: 300 }),
          fc.constantFrom(null, 0, 5, 39),
          fc.record({ low: fc.constantFrom(null, 0, 3, 400), high: fc.constantFrom(null, 0, 6, 700) }),
          async (uploads, range, width, pause, limit) => {
            const all = uploads.flatMap(recordsOf);
            for (const store of stores.all)
              for (const one of uploads) await store.append('d', recordsOf(one));
            const pauses = KEYS.map(() => pause);
            const normal = KEYS.map(() => limit);
            const statistics = KEYS.map((key) => naiveStatistics(readingsOf(all, key), range, pause, limit));
            const runs = KEYS.map((key) => naiveRuns(readingsOf(all, key), range, width));
            for (const store of stores.all) {
              const asked = { range, keys: KEYS, pauses, normal };
              const told = await surveyDevice(STATISTICS, asked, surveyOptions(store));
              expect(told.map(rounded)).toEqual(statistics.map(rounded));
              const query = { range, keys: KEYS, width, statesAlone: false, most: 1e6 };
              const states = await surveyDevice(STATES, query, surveyOptions(store));
              expect(states?.map((one) => one.runs)).toEqual(runs);
              for (const one of states ?? []) expect(one.runs.length).toBeLessThanOrEqual(2 * width);
            }
          },
        )
        .afterEach(async () => {
          for (const store of stores.all) await store.purge('d', 1);
        }),
      { numRuns: someRuns(30) },
    );
  });
});

const states = (store: RecordStore, query: Partial<Parameters<typeof STATES.begin>[0]>) =>
  surveyDevice(
    STATES,
    { range: { start: 0, end: 100 }, keys: ['v'], width: 10, statesAlone: false, most: 100, ...query },
    surveyOptions(store),
  );

describe('states', () => {
  test('end with too many runs, early', async () => {
    for (const store of stores.all) {
      await store.append(
        'd',
        Array.from({ length: 5 }, (_, i) => record(i * 20, { v: i % 2 === 0 })),
      );
      expect(await states(store, { most: 4 })).toBeNull();
      expect(await states(store, { most: 5 })).toMatchObject([{ words: 2, runs: { length: 5 } }]);
    }
  });

  test('are asked for without keys by leaving out what holds numbers in the span, or nothing', async () => {
    const records = [
      record(0, { v: 1, w: 'a', x: 'before' }),
      record(50, { v: 'text', w: 'a' }),
      record(60, { w: 3, late: 'x' }),
      record(200, { v: 2, late: 'y' }),
    ];
    for (const store of stores.all) {
      await store.append('d', records);
      const found = await states(store, {
        range: { start: 10, end: 100 },
        keys: ['late', 'v', 'w', 'x'],
        statesAlone: true,
      });
      expect(found?.map(({ key }) => key)).toEqual(['late', 'v', 'x']);
      expect(found?.[2]?.runs).toEqual([
        { from: 10, to: 100, value: 'before', changes: 0, from_known: false, to_known: false },
      ]);
      expect(found?.map(({ lastTime }) => lastTime)).toEqual([60, 50, 0]);
    }
  });

  test('do not tell of a text that a number ended before the span', async () => {
    for (const store of stores.all) {
      await store.append('d', [record(0, { v: 'text' }), record(10, { v: 1 }), record(200, { v: 2 })]);
      const found = await states(store, { range: { start: 20, end: 100 } });
      expect(found).toEqual([{ key: 'v', words: 0, lastTime: null, runs: [] }]);
    }
  });

  test('tell long texts apart and hand on their beginning alone', async () => {
    const long = 'x'.repeat(60_000);
    for (const store of stores.all) {
      await store.append('d', [record(0, { v: `${long}a` }), record(50, { v: `${long}b` })]);
      const [found] = (await states(store, {})) ?? [];
      const cut = 'x'.repeat(MOST_OF_TEXT);
      expect(found?.runs.map(({ from, value }) => [from, value])).toEqual([
        [0, cut],
        [50, cut],
      ]);
    }
  });
});

describe('a survey of many records', () => {
  const query = { range: {}, keys: ['n'], pauses: [null], normal: [] };

  test('ends when it is cancelled, while it runs and while it waits for its turn', async () => {
    const [store] = stores.all as [RecordStore];
    await store.append('d', counting(0, 5000));
    const semaphore = new FairSemaphore(1).of(null);
    const reason = new Error('The window moved.');
    const controllers = [0, 1, 2].map(() => new AbortController());
    const asked = controllers.map(({ signal }) =>
      surveyDevice(STATISTICS, query, { records: store, device: 'd', semaphore, signal }),
    );
    for (const controller of controllers.slice(0, 2)) controller.abort(reason);
    const [first, second, third] = await Promise.allSettled(asked);
    expect([first, second]).toMatchObject([{ reason }, { reason }]);
    expect(third).toMatchObject({ value: [{ count: 5000, min: 0, max: 4999 }] });
    await expect(
      surveyDevice(STATISTICS, query, {
        records: store,
        device: 'd',
        semaphore,
        signal: AbortSignal.abort(reason),
      }),
    ).rejects.toBe(reason);
  });

  test('leaves out what is damaged, and says so', async () => {
    for (const alone of [false, true]) {
      const folder = join(stores.directory, `damaged ${alone}`);
      let store = await openLog({ directory: folder, limits: LIMITS, threads: stores.threads });
      await store.append('d', counting(0, 4096));
      // Writes all of it anew, to one segment.
      await store.deleteRange('d', { start: 0, end: 0 });
      await store.close();
      const [only] = (await readdir(join(folder, 'd'))).filter((name) => name.endsWith('.seg'));
      const file = await open(join(folder, 'd', only!), 'r+');
      await file.write(Buffer.from([0xff, 0xff, 0xff, 0xff]), 0, 4, 64);
      await file.close();
      store = await openLog({ directory: folder, limits: LIMITS, threads: alone ? null : stores.threads });
      stores.all.push(store);
      // A block is 1,024 records; the first of the first block was deleted.
      expect(await surveyDevice(STATISTICS, query, surveyOptions(store))).toMatchObject([
        { count: 4096 - 1024, min: 1024, max: 4095 },
      ]);
      expect(store.recovery.map(({ kind }) => kind)).toEqual(['damaged']);
    }
  });

  test('is exact about numbers that are huge, and about -0', async () => {
    for (const store of stores.all) {
      await store.append('d', [record(0, { n: -0 }), record(1, { n: -0 })]);
      const [zero] = await surveyDevice(STATISTICS, query, surveyOptions(store));
      expect(zero).toMatchObject({ min: 0, max: 0, mean: 0, sd: 0, p5: 0, last: 0 });
      await store.purge('d', 1);
      const most = Number.MAX_VALUE;
      await store.append('d', [record(0, { n: most }), record(1, { n: -most })]);
      const [huge] = await surveyDevice(STATISTICS, query, surveyOptions(store));
      expect(huge).toMatchObject({ min: -most, max: most, mean: 0, sd: null, p5: -most, p95: most });
    }
  });
});
