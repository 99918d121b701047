import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Falls } from '#shared/domain/rates.ts';
import type { StoredRecord } from '#core/store/store.ts';
import { RATES, type KeyRates } from '#core/survey/rates.ts';
import { surveyDevice } from '#core/survey/survey-device.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { record } from '../../suites/record-store/harness.ts';
import { naiveColumns, naiveRates, naiveStatistics, readingsOf } from './naive-survey.ts';
import { surveyOptions, surveyStores } from './survey-stores.ts';

/* Differences per time of many records: the same as each number with the one before it, wherever the records lie. */

const stores = surveyStores();

const WRAP = 256;
const KEYS = ['count', 'level', 'mixed', 'unknown'];

/** Uploads that overlap, some of them late; within one the counter goes on, wraps, and now and then begins anew. */
const upload = fc.record({
  start: fc.integer({ min: 0, max: 3000 }),
  count: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 500, max: 1500 })),
  step: fc.constantFrom(0, 1, 1, 40),
  pace: fc.integer({ min: 1, max: 90 }),
  resets: fc.constantFrom(7, 100, 1e9),
});
const bound = fc.integer({ min: -10, max: 65_000 });
const span = fc.tuple(bound, bound).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
const falls = fc.constantFrom<Falls>('reset', 'fall', WRAP);
const per = fc.constantFrom('s' as const, 'min' as const, 'h' as const, 'd' as const);

function recordsOf({
  start,
  count,
  step,
  pace,
  resets,
}: typeof upload extends fc.Arbitrary<infer T> ? T : never) {
  return Array.from({ length: count }, (_, i): StoredRecord => {
    const level = ((start + i) * 7919) % 1009;
    // Of every third record it is a text, of every fifth there is none, and some are true or false.
    const mixed = i % 3 === 0 ? `at ${i}` : i % 7 === 0 ? i % 2 === 0 : i;
    const counter = ((i % resets) * pace) % WRAP;
    return record(start + i * step, { count: counter, level: level / 8, ...(i % 5 > 0 && { mixed }) });
  });
}

/** Columns as rows, for people who read what differs. */
const columnsOf = (found: KeyRates) =>
  Array.from(found.counts, (count, column) => ({
    count,
    min: found.min[column],
    max: found.max[column],
    first: found.first[column],
    last: found.last[column],
    firstTime: found.firstTimes[column],
    lastTime: found.lastTimes[column],
  }));

type Figures = KeyRates['statistics'];

/** Sums of many numbers differ in their last digits by the order in which they were added: such a mean is that of the model. */
function alike(found: Figures, wanted: Figures | undefined): Figures {
  if (wanted === undefined) return found;
  const largest = Math.max(Math.abs(wanted.min ?? 0), Math.abs(wanted.max ?? 0));
  const close = (one: number | null, other: number | null) =>
    one !== null && other !== null && Math.abs(one - other) <= 1e-9 * largest ? other : one;
  return { ...found, mean: close(found.mean, wanted.mean), sd: close(found.sd, wanted.sd) };
}

test('they are what one reckons by hand, column by column, with wraps, resets and figures', async () => {
  await fc.assert(
    fc
      .asyncProperty(
        fc.array(upload, { minLength: 1, maxLength: 4 }),
        span,
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom(null, 0, 5, 39),
        fc.tuple(falls, falls, falls, falls),
        per,
        async (uploads, range, width, pause, fall, unit) => {
          const all = uploads.flatMap(recordsOf);
          for (const store of stores.all) for (const one of uploads) await store.append('d', recordsOf(one));
          const rates = KEYS.map((_, place) => ({ per: unit, falls: fall[place] ?? 'reset' }));
          const wanted = KEYS.map((key, place) => {
            const found = naiveRates(readingsOf(all, key), rates[place]!);
            const inside = found.filter(({ time }) => time >= range.start && time <= range.end);
            const points = inside.flatMap(({ time, rate }) => (rate === null ? [] : { time, value: rate }));
            return {
              wraps: inside.filter(({ isWrap }) => isWrap).length,
              resets: inside.filter(({ isReset }) => isReset).length,
              columns: naiveColumns(points, range, width),
              statistics: naiveStatistics(points, range, pause, { low: null, high: null }),
            };
          });
          for (const store of stores.all) {
            const edges = await store.series('d', { range, keys: KEYS, width: 1 });
            const before = edges.keys.map((key) => key.before);
            const pauses = KEYS.map(() => pause);
            const query = { range, keys: KEYS, width, rates, before, pauses };
            const told = await surveyDevice(RATES, query, surveyOptions(store));
            expect(
              told.map((found, place) => ({
                wraps: found.wraps,
                resets: found.resets,
                columns: columnsOf(found),
                statistics: alike(found.statistics, wanted[place]?.statistics),
              })),
            ).toEqual(wanted);
          }
        },
      )
      .afterEach(async () => {
        for (const store of stores.all) await store.purge('d', 1);
      }),
    { numRuns: someRuns(20) },
  );
});

test('a span begins with the difference from the number before it, and of what is beyond all numbers nothing is said', async () => {
  const rates = [{ per: 's', falls: 'fall' } as const];
  const most = Number.MAX_VALUE;
  const records = [
    record(0, { n: 1 }),
    record(1e6, { n: 'off' }),
    record(2e6, { n: 5 }),
    record(3e6, { n: most }),
  ];
  for (const store of stores.all) {
    await store.append('d', [...records, record(4e6, { n: -most })]);
    const range = { start: 2e6, end: 4e6 };
    const [edge] = (await store.series('d', { range, keys: ['n'], width: 1 })).keys;
    const query = { range, keys: ['n'], width: 1, rates, before: [edge?.before ?? null], pauses: [null] };
    const [found] = await surveyDevice(RATES, query, surveyOptions(store));
    expect(found).toMatchObject({ statistics: { count: 2, first: 2, last: most } });
  }
});
