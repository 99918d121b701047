import { describe, expect, test } from 'vitest';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME } from '#shared/values/time.ts';
import type { RecordStore } from '#core/store/store.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { record, type Harness } from './harness.ts';

type SeriesQuery = Parameters<RecordStore['series']>[1];

export function seriesTests(harness: Harness): void {
  describe('series', () => {
    test('gives min, max, first and last of each column of pixels, and gaps', async () => {
      const { store } = harness;
      const points = [
        [0, 5],
        [1, 3],
        [2, 9],
        [3, 4],
        [9, 7],
      ] as const;
      await store.append(
        'd',
        points.map(([time, v]) => record(time, { v })),
      );
      const series = await store.series('d', { range: { start: 0, end: 11 }, keys: ['v'], width: 3 });
      expect(series).toEqual({
        start: 0,
        end: 11,
        width: 3,
        keys: [
          {
            key: 'v',
            counts: Uint32Array.of(4, 0, 1),
            min: Float64Array.of(3, Number.NaN, 7),
            max: Float64Array.of(9, Number.NaN, 7),
            first: Float64Array.of(5, Number.NaN, 7),
            last: Float64Array.of(4, Number.NaN, 7),
            firstTimes: Float64Array.of(0, Number.NaN, 9),
            lastTimes: Float64Array.of(3, Number.NaN, 9),
            before: null,
            after: null,
          },
        ],
      });
    });

    test('draws booleans, not text, and nothing of an unknown key', async () => {
      const { store } = harness;
      await store.append('d', [record(0, { v: true }), record(1, { v: 'text' }), record(2, { v: false })]);
      const { keys } = await store.series('d', { range: { start: 0, end: 2 }, keys: ['v', 'q'], width: 1 });
      expect(keys.map(({ key, counts }) => [key, ...counts])).toEqual([
        ['v', 2],
        ['q', 0],
      ]);
      expect([...(keys[0]?.first ?? []), ...(keys[0]?.last ?? [])]).toEqual([1, 0]);
    });

    test('equals what all records give, whatever the window and width', async () => {
      const { store } = harness;
      const naive = createMemoryRecordStore();
      const step = 1_000_003;
      const records = Array.from({ length: 3000 }, (_, i) =>
        record(((i * 7919) % 3000) * step, {
          a: Math.sin(i / 50) * 100,
          ...(i % 3 === 0 && { b: i % 2 === 0 }),
        }),
      );
      for (let i = 0; i < records.length; i += 500) {
        await store.append('d', records.slice(i, i + 500));
        await naive.append('d', records.slice(i, i + 500));
      }
      const end = 2999 * step;
      const windows: SeriesQuery['range'][] = [
        { start: 0, end },
        { start: 1, end: end - 1 },
        { start: 37 * step, end: 38 * step },
        { start: 37 * step, end: 37 * step },
        { start: 777 * step + 5, end: 1999 * step - 3 },
        { start: -end, end: 3 * end },
        { start: FIRST_RECORD_TIME, end: LAST_RECORD_TIME },
      ];
      for (const range of windows)
        for (const width of [1, 2, 97, 1000]) {
          const query = { range, keys: ['b', 'a', 'b', 'unknown'], width };
          expect(await store.series('d', query)).toEqual(await naive.series('d', query));
        }
    });

    test('gives the numbers nearest to the range on either side of it, wherever they lie', async () => {
      const { store } = harness;
      const naive = createMemoryRecordStore();
      // A key in all records, one in few, one at both ends alone; several at one instant, and late ones.
      const records = Array.from({ length: 5000 }, (_, i) =>
        record(Math.floor(i / 2) * 1000, {
          a: i,
          ...(i % 700 === 3 && { rare: i }),
          ...((i === 0 || i === 4999) && { ends: i }),
          ...(i % 2 === 0 && { text: 'x' }),
        }),
      );
      const late = Array.from({ length: 40 }, (_, i) =>
        record(((i * 977) % 2500) * 1000, { a: -i, rare: -i }),
      );
      for (const part of [records.slice(0, 2000), records.slice(2000), late]) {
        await store.append('d', part);
        await naive.append('d', part);
      }
      for (const start of [-1, 0, 1, 350_000, 1_100_500, 2_499_000, 2_499_001])
        for (const span of [0, 5, 1000, 400_000, 3_000_000]) {
          const range = { start, end: start + span };
          const query = { range, keys: ['a', 'rare', 'ends', 'text', 'unknown'], width: 3 };
          expect(await store.series('d', query)).toEqual(await naive.series('d', query));
        }
    });

    test('knows how long usually passes between two numbers of a key, whatever comes in between', async () => {
      const { store } = harness;
      const naive = createMemoryRecordStore();
      const second = 1_000_000;
      const records = Array.from({ length: 6000 }, (_, i) => {
        // An hour of silence now and then, which is not usual.
        const time = i * second + Math.floor(i / 500) * 3600 * second;
        return record(time, {
          ...(i % 2 === 0 ? { even: i } : { odd: i }),
          ...(i % 50 === 0 && { rare: i }),
          ...(i % 2000 === 0 && { rarest: i }),
          ...(i === 77 && { once: 1 }),
          text: 'x',
        });
      });
      const keys = ['even', 'odd', 'rare', 'rarest', 'once', 'text', 'unknown'];
      for (let i = 0; i < records.length; i += 1500) {
        await store.append('d', records.slice(i, i + 1500));
        await naive.append('d', records.slice(i, i + 1500));
      }
      const expected = await naive.intervals('d', keys);
      expect(expected.slice(0, 3)).toEqual([2 * second, 2 * second, 50 * second]);
      // What is stored in many pieces says it once they are merged.
      await expect
        .poll(async () => (await store.intervals('d', keys)).slice(0, 3))
        .toEqual(expected.slice(0, 3));
      const found = await store.intervals('d', keys);
      expect(found[3]).toBeGreaterThan(2000 * second);
      expect(found.slice(4)).toEqual([NaN, NaN, NaN]);
      expect(await store.intervals('never', ['a'])).toEqual([NaN]);
    });

    test('leaves records at one instant out of the usual interval', async () => {
      const { store } = harness;
      const together = (time: number, count: number) =>
        Array.from({ length: count }, (_, i) => record(time, { v: i }));
      await store.append('d', together(0, 900));
      expect(await store.intervals('d', ['v'])).toEqual([NaN]);
      await store.append('d', [...together(5000, 900), ...together(10_000, 3)]);
      expect(await store.intervals('d', ['v'])).toEqual([5000]);
    });

    test('is exact where times and widths multiply beyond 2^53', async () => {
      const { store } = harness;
      const naive = createMemoryRecordStore();
      const span = BigInt(LAST_RECORD_TIME) - BigInt(FIRST_RECORD_TIME) + 1n;
      const edges = Array.from({ length: 200 }, (_, i) => {
        const edge = (BigInt(i * 50) * span + 9999n) / 10_000n;
        return Number(BigInt(FIRST_RECORD_TIME) + edge);
      });
      const records = edges.flatMap((edge) => [edge - 1, edge].filter((time) => time >= FIRST_RECORD_TIME));
      await store.append(
        'd',
        records.map((time, i) => record(time, { v: i })),
      );
      await naive.append(
        'd',
        records.map((time, i) => record(time, { v: i })),
      );
      const query = {
        range: { start: FIRST_RECORD_TIME, end: LAST_RECORD_TIME },
        keys: ['v'],
        width: 10_000,
      };
      expect(await store.series('d', query)).toEqual(await naive.series('d', query));
    });
  });
}
