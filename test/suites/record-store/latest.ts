import { describe, expect, test } from 'vitest';
import type { LatestValue } from '#core/store/store.ts';
import { counting, record, type Harness } from './harness.ts';

/** The last value of a key, wherever in a device it is. */
export function latestTests(harness: Harness, durable: boolean): void {
  const latest = async (keys: readonly string[] | null): Promise<readonly LatestValue[]> =>
    (await harness.store.latest([{ device: 'd', keys }]))[0] ?? [];

  describe('the last values', () => {
    test('are found behind thousands of records that lack the key, in memory and on disk', async () => {
      await harness.store.append('d', [record(1, { rare: 'first', on: true }), record(2, { rare: 'last' })]);
      await harness.store.append('d', counting(1, 5000));
      const expected = [
        { key: 'rare', value: 'last', timestamp: 2 },
        { key: 'n', value: 5000, timestamp: 5_000_000 },
        { key: 'on', value: true, timestamp: 1 },
      ];
      expect(await latest(['rare', 'absent', 'n', 'on'])).toEqual(expected);
      if (!durable) return;
      await harness.reopen();
      expect(await latest(['rare', 'absent', 'n', 'on'])).toEqual(expected);
    });

    test('are those of the newest time, and of one instant those that arrived last', async () => {
      await harness.store.append('d', [
        record(5000, { t: 1 }),
        record(5000, { t: 2 }),
        record(4000, { t: 3 }),
      ]);
      expect(await latest(['t'])).toEqual([{ key: 't', value: 2, timestamp: 5000 }]);
      const batch = await harness.store.batch('d');
      await batch.add([record(4999, { t: 4, late: 1 }), record(5000, { t: 5 })]);
      await batch.commit();
      expect(await latest(['t', 'late'])).toEqual([
        { key: 't', value: 5, timestamp: 5000 },
        { key: 'late', value: 1, timestamp: 4999 },
      ]);
    });

    test('without keys are those of the newest records, which may take turns', async () => {
      await harness.store.append('d', [record(1, { old: 1 }), ...counting(2, 8)]);
      await harness.store.append('d', [record(20_000, { b: 1, a: 2 }), record(21_000, { c: 3 })]);
      expect((await latest(null)).map(({ key }) => key)).toEqual(['c', 'a', 'b', 'n', 'old']);
      await harness.store.append('d', counting(30, 10));
      expect((await latest(null)).map(({ key }) => key)).toEqual(['n', 'c', 'a', 'b']);
    });

    test('follow what goes', async () => {
      await harness.store.append('d', counting(1, 20));
      expect(await latest(['n'])).toMatchObject([{ value: 20 }]);
      await harness.store.deleteRange('d', { start: 15_000 });
      expect(await latest(['n'])).toMatchObject([{ value: 14 }]);
      await harness.store.purge('d', 1);
      expect(await latest(['n'])).toEqual([]);
      expect(await harness.store.latest([{ device: 'never', keys: null }])).toEqual([[]]);
    });
  });
}
