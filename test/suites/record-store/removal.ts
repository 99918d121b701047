import { describe, expect, test, vi } from 'vitest';
import { StoreError } from '#core/base/errors.ts';
import type { StoredRecord } from '#core/store/store.ts';
import { counting, pageOfN, record, scanned, type Harness } from './harness.ts';
import { PATIENTLY } from '../../helpers/patiently.ts';

export function removalTests(harness: Harness): void {
  describe('purge', () => {
    test('removes every record and keeps when the device was last seen', async () => {
      const { store } = harness;
      await store.append('d', counting(0, 100));
      const { lastSeen } = await store.summary('d');
      expect(await store.purge('d', 42)).toBe(100);
      expect(await pageOfN(store, 'd')).toEqual([]);
      expect(await store.keys('d')).toEqual([]);
      expect(await store.summary('d')).toMatchObject({
        records: 0,
        first: null,
        last: null,
        lastSeen,
        purgedAt: 42,
      });
      expect(await store.lastSeen(['d'])).toEqual([lastSeen]);
    });

    test('takes new records after it, and may be repeated', async () => {
      const { store } = harness;
      await store.append('d', counting(0, 10));
      await store.purge('d', 1);
      await store.append('d', [record(3)]);
      expect(await pageOfN(store, 'd')).toEqual([3]);
      expect(await store.purge('d', 2)).toBe(1);
      expect(await store.purge('d', 3)).toBe(0);
      expect(await store.summary('d')).toMatchObject({ records: 0, purgedAt: 3 });
    });

    test('leaves other devices alone, and an empty device empty', async () => {
      const { store } = harness;
      await store.append('other', counting(0, 10));
      expect(await store.purge('d', 1)).toBe(0);
      expect(await store.count('other')).toBe(10);
    });

    test('among writers counts every record once: purged or still there', async () => {
      const { store } = harness;
      let purged = 0;
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let i = 0; i < 20; i++) await store.append('d', [record(writer * 100 + i)]);
      });
      for (let i = 0; i < 5; i++) purged += await store.purge('d', i);
      await Promise.all(writers);
      expect(purged + (await store.count('d'))).toBe(160);
    });

    test('lets a scan that is under way finish on what it started, or says that the records went', async () => {
      const { store } = harness;
      const all = counting(0, 5000);
      await store.append('d', all);
      const seen: StoredRecord[] = [];
      let failure: unknown = null;
      try {
        for await (const batch of store.scan('d')) {
          if (seen.length === 0) expect(await store.purge('d', 1)).toBe(5000);
          seen.push(...batch);
        }
      } catch (error) {
        failure = error;
      }
      if (failure === null) expect(seen).toEqual(all);
      else expect(failure).toBeInstanceOf(StoreError);
      expect(await store.count('d')).toBe(0);
    });
  });

  describe('range delete', () => {
    test('removes the range, both ends included, and keeps the order of the rest', async () => {
      const { store } = harness;
      await store.append(
        'd',
        [5, 1, 3].map((n) => record(n)),
      );
      await store.append('d', [
        record(2),
        record(3, { n: 'late' }),
        record(4),
        record(1, { n: 'again', extra: 1 }),
      ]);
      expect(await store.deleteRange('d', { start: 2, end: 3 })).toBe(3);
      expect(await pageOfN(store, 'd')).toEqual([5, 4, 'again', 1]);
      expect(await store.summary('d')).toMatchObject({
        records: 4,
        first: 1,
        last: 5,
        purgedAt: null,
        lastSeen: record(4).received,
        keys: [
          { key: 'extra', count: 1, numeric: 1 },
          { key: 'n', count: 4, numeric: 3 },
        ],
      });
    });

    test('forgets keys that no record has any more', async () => {
      const { store } = harness;
      await store.append('d', [record(1, { gone: 1 }), record(2, { stays: 1 })]);
      await store.deleteRange('d', { end: 1 });
      expect(await store.keys('d')).toEqual(['stays']);
    });

    test('of nothing removes nothing; of everything leaves an empty device', async () => {
      const { store } = harness;
      await store.append('d', counting(0, 10));
      expect(await store.deleteRange('d', { start: 500_000 })).toBe(0);
      expect(await store.deleteRange('d', {})).toBe(10);
      expect(await pageOfN(store, 'd')).toEqual([]);
      expect(await store.summary('d')).toMatchObject({
        lastSeen: counting(9, 1)[0]?.received,
        purgedAt: null,
      });
      await store.append('d', [record(1)]);
      expect(await scanned(store, 'd')).toEqual([record(1)]);
    });
  });

  describe('an empty device', () => {
    test('is one without a record, whether it never had any or they went', async () => {
      const { store } = harness;
      expect(await store.isEmpty('d')).toBe(true);
      await store.append('d', counting(0, 10));
      expect(await store.isEmpty('d')).toBe(false);
      await store.deleteRange('d', { start: 1 });
      expect(await store.isEmpty('d')).toBe(false);
      await store.deleteRange('d', {});
      expect(await store.isEmpty('d')).toBe(true);
      await store.append('d', counting(0, 10));
      await store.purge('d', 1);
      await vi.waitFor(async () => expect(await store.isEmpty('d')).toBe(true), PATIENTLY);
    });
  });

  describe('a check', () => {
    test('counts every record that is there or can be had back, wherever it lies', async () => {
      const { store } = harness;
      const counted = async () => (await store.check('d')).records;
      expect(await counted()).toBe(0);
      await store.append('d', counting(0, 10));
      expect(await counted()).toBe(10);
      const batch = await store.batch('d');
      await batch.add(counting(100, 2000));
      await batch.commit();
      await store.append('d', [record(1)]);
      expect(await counted()).toBe(2011);
      await store.keep('d', 'k', { range: { start: 100_000 } });
      await store.deleteRange('d', { end: 3000 });
      expect(await counted()).toBe(2006);
      await store.discard('d', 'k');
      expect(await counted()).toBe(6);
      await store.purge('d', 1);
      expect(await counted()).toBe(0);
    });
  });

  describe('drop', () => {
    test('leaves no trace, and the device can start anew', async () => {
      const { store } = harness;
      await store.append('d', counting(0, 10));
      await store.append('e', counting(0, 10));
      await store.purge('e', 1);
      await Promise.all([store.drop('d'), store.drop('e'), store.drop('never')]);
      expect(await store.devices()).toEqual([]);
      expect(await store.lastSeen(['d', 'e'])).toEqual([null, null]);
      expect(await store.summary('e')).toMatchObject({ records: 0, purgedAt: null });
      await store.append('d', [record(1)]);
      expect(await scanned(store, 'd')).toEqual([record(1)]);
    });
  });
}
