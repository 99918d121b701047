import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Correction } from '#shared/domain/corrections.ts';
import type { Lens, RecordStore, StoredRecord, Viewed } from '#core/store/store.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { pageText, record, scanned, type Harness } from './harness.ts';
import { lensesOf } from './lenses.ts';

const RUNS = someRuns(60);
const SECOND = 1_000_000;
const RECORDS = 4000;
const through = (...corrections: Correction[]): Viewed => ({
  device: 'd',
  lens: { corrections, formers: [] },
});

export function correctionTests(harness: Harness): void {
  describe('corrections', () => {
    test('calibrates numbers within its span, and leaves booleans and texts as they are', async () => {
      const { store } = harness;
      await store.append('d', [
        record(0, { t: 1 }),
        record(SECOND, { t: 1 }),
        record(2 * SECOND, { t: true }),
        record(3 * SECOND, { t: '1' }),
      ]);
      const device = through({
        kind: 'calibration',
        key: 't',
        from: SECOND,
        points: [
          [0, 0.4],
          [10, 10.4],
        ],
      });
      expect(await valuesOf(store, device)).toEqual([1, 1.4, true, '1']);
      expect(await valuesOf(store, 'd')).toEqual([1, 1, true, '1']);
      const { keys } = await store.series(device, {
        range: { start: 0, end: 3 * SECOND },
        keys: ['t'],
        width: 1,
      });
      expect([keys[0]?.max[0], keys[0]?.last[0]]).toEqual([1.4, 1]);
    });

    test('leaves out what failed or was a test, and lets a later flag take it back', async () => {
      const { store } = harness;
      await store.append(
        'd',
        [0, 1, 2, 3].map((n) => record(n * SECOND, { t: n, u: n })),
      );
      const flag = (
        from: number,
        to: number,
        quality: 'fail' | 'pass',
        keys: string[] | null,
      ): Correction => ({
        kind: 'quality',
        keys,
        from: from * SECOND,
        to: to * SECOND,
        quality,
      });
      const device = through(flag(1, 3, 'fail', ['t']), flag(2, 2, 'pass', null));
      expect(await valuesOf(store, device)).toEqual([0, undefined, 2, undefined]);
      const { keys } = await store.summary(device);
      expect(keys.map(({ key, count }) => [key, count])).toEqual([
        ['t', 2],
        ['u', 4],
      ]);
      expect(await store.latest([{ device, keys: ['t', 'u'] }])).toEqual([
        [
          { key: 't', value: 2, timestamp: 2 * SECOND },
          { key: 'u', value: 3, timestamp: 3 * SECOND },
        ],
      ]);
    });

    test('puts records at their corrected times, those at one time as they stand in the raw view', async () => {
      const { store } = harness;
      await store.append(
        'd',
        [0, 1, 2, 3, 4].map((n) => record(n * SECOND, { t: n })),
      );
      const device = through({ kind: 'time', from: 3 * SECOND, to: 4 * SECOND, by: { shift: -3 * SECOND } });
      expect(await valuesOf(store, device)).toEqual([0, 3, 1, 4, 2]);
      expect(await store.within(device, {})).toEqual({ records: 5, first: 0, last: 2 * SECOND });
    });

    test('puts the history of a replaced device first, read through its own corrections', async () => {
      const { store } = harness;
      await store.append('e', [
        record(0, { t: 10 }),
        record(5 * SECOND, { t: 11 }),
        record(9 * SECOND, { t: 12 }),
      ]);
      await store.append('d', [record(5 * SECOND, { t: 20 }), record(9 * SECOND, { t: 21 })]);
      const own: Lens = {
        corrections: [{ kind: 'calibration', key: 't', points: { gain: 1, offset: 100 } }],
        formers: [],
      };
      const device: Viewed = {
        device: 'd',
        lens: { corrections: [], formers: [{ device: 'e', until: 5 * SECOND, lens: own }] },
      };
      expect(await valuesOf(store, device)).toEqual([110, 111, 20, 21]);
      expect(await store.count(device, { end: 5 * SECOND })).toBe(3);
    });

    test('computes derived keys of the record itself, of older values and of means, over corrected ones', async () => {
      const { store } = harness;
      await store.append('d', [
        record(0, { t: 10 }),
        record(1, { u: 4 }),
        record(2, { t: 20, u: 5 }),
        record(40, { t: 30, u: 0 }),
      ]);
      const derived = (key: string, of: string, within_s = 0): Correction => ({
        kind: 'derived',
        key,
        of,
        within_s,
      });
      const device = through(
        { kind: 'calibration', key: 't', points: { gain: 1, offset: 1 } },
        derived('difference', 't - u'),
        derived('latest', 't - u', 10e-6),
        derived('mean', 'mean(t, 10us)'),
        derived('ratio', 't / u'),
        derived('twice', '2 * difference'),
      );
      const seen = (await scanned(store, device)).map(({ keys, values }) =>
        Object.fromEntries(keys.map((key, i) => [key, values[i]])),
      );
      expect(seen).toEqual([
        { t: 11, mean: 11 },
        { u: 4, latest: 7 },
        { t: 21, u: 5, difference: 16, latest: 16, mean: 16, ratio: 4.2, twice: 32 },
        { t: 31, u: 0, difference: 31, latest: 31, mean: 31, twice: 62 },
      ]);
      const { keys } = await store.series(device, {
        range: { start: 0, end: 50 },
        keys: ['twice', 't'],
        width: 1,
      });
      expect(keys.map(({ max, counts }) => [max[0], counts[0]])).toEqual([
        [62, 2],
        [31, 3],
      ]);
    });

    test('equals what all records give, mapped, sorted and filtered, over many blocks', async () => {
      const { store } = harness;
      const naive = createMemoryRecordStore();
      for (const [device, records] of Object.entries(recordings()))
        for (const part of records) for (const each of [store, naive]) await each.append(device, part);
      const instant = fc.integer({ min: -5 * SECOND, max: (RECORDS + 5) * SECOND });
      const lenses = lensesOf({
        instant,
        key: fc.constantFrom('a', 'b', 'mixed', 'rare', 'text'),
        former: fc.constant('e'),
        step: 40 * SECOND,
      });
      await fc.assert(
        fc.asyncProperty(
          lenses,
          fc.tuple(instant, instant),
          fc.integer({ min: 1, max: 60 }),
          async (lens, ends, width) => {
            const device: Viewed = { device: 'd', lens };
            const range = { start: Math.min(...ends), end: Math.max(...ends) };
            expect(await answersOf(store, device, range, width)).toEqual(
              await answersOf(naive, device, range, width),
            );
          },
        ),
        { numRuns: RUNS },
      );
    });
  });
}

const valuesOf = async (store: RecordStore, device: Viewed) =>
  (await scanned(store, device)).map(({ keys, values }) => values[keys.indexOf('t')]);

/** Records in order and late ones, of keys in all of them and in few, of one kind and of several. */
function recordings(): Record<string, StoredRecord[][]> {
  const at = (i: number) => i * SECOND + (i % 3);
  const made = (i: number): StoredRecord =>
    record(at(i), {
      a: Math.sin(i / 40) * 3,
      ...(i % 3 === 0 && { b: i % 2 === 0 }),
      ...(i % 2 === 0 && { mixed: i % 500 < 30 ? i % 4 === 0 : i % 7 }),
      ...(i % 900 === 3 && { rare: i }),
      ...(i % 11 === 0 && { text: `t${i % 5}` }),
    });
  const all = Array.from({ length: RECORDS }, (_, i) => made(i));
  const late = Array.from({ length: 300 }, (_, i) => made((i * 977) % RECORDS));
  const before = Array.from({ length: 1500 }, (_, i) => made(2 * i));
  return { d: [all.slice(0, 2500), late.slice(0, 200), all.slice(2500), late.slice(200)], e: [before] };
}

async function answersOf(
  store: RecordStore,
  device: Viewed,
  range: { start: number; end: number },
  width: number,
) {
  const { bytes: _, ...summary } = await store.summary(device);
  const keys = ['a', 'b', 'mixed', 'rare', 'text', 'x', 'y'];
  const query = { offset: 7, limit: 50, range };
  return {
    summary,
    page: await pageText(store, device, query),
    total: (await store.page(device, query)).total,
    columns: await store.columns(device, { ...query, keys }),
    scanned: (await scanned(store, device, range)).map(({ timestamp }) => timestamp),
    with: await store.countWith(device, range, ['rare', 'text']),
    within: await store.within(device, range),
    latest: await store.latest([{ device, keys }]),
    series: await store.series(device, { range, keys, width }),
  };
}
