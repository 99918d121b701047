import { describe, expect, it } from 'vitest';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME } from '#shared/time.ts';
import type { RecordStore } from '#core/store/store.ts';
import { createMemoryRecordStore } from '../../helpers/memory-record-store.ts';
import { record, type Harness } from './harness.ts';

type SeriesQuery = Parameters<RecordStore['series']>[1];

export function seriesTests(harness: Harness): void {
  describe('series', () => {
    it('gives min, max, first and last of each column of pixels, and gaps', async () => {
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
          },
        ],
      });
    });

    it('draws booleans, not text, and nothing of an unknown key', async () => {
      const { store } = harness;
      await store.append('d', [record(0, { v: true }), record(1, { v: 'text' }), record(2, { v: false })]);
      const { keys } = await store.series('d', { range: { start: 0, end: 2 }, keys: ['v', 'q'], width: 1 });
      expect(keys.map(({ key, counts }) => [key, ...counts])).toEqual([
        ['v', 2],
        ['q', 0],
      ]);
      expect([...(keys[0]?.first ?? []), ...(keys[0]?.last ?? [])]).toEqual([1, 0]);
    });

    it('equals what all records give, whatever the window and width', async () => {
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

    it('is exact where times and widths multiply beyond 2^53', async () => {
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
