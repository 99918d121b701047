import { describe, expect, test } from 'vitest';
import { counting, pageOfN, pageText, record, scanned, type Harness } from './harness.ts';

export function durabilityTests(harness: Harness): void {
  describe('reopening', () => {
    test('finds everything as it was', async () => {
      await harness.store.append('d', counting(1000, 700));
      await harness.store.append('d', counting(0, 700).toReversed());
      await harness.store.append('e', [record(1, { text: 'x\ud800', yes: true, zero: -0 })]);
      const before = await Promise.all([
        pageText(harness.store, 'd', { offset: 0, limit: 2000 }),
        scanned(harness.store, 'e'),
        harness.store.keys('e'),
        harness.store.lastSeen(['d', 'e']),
      ]);
      const extents = [
        { records: 1400, first: 0, last: 1_699_000, bytes: expect.any(Number) },
        { records: 1, first: 1, last: 1, bytes: expect.any(Number) },
        { records: 0, first: null, last: null, bytes: 0 },
      ];
      expect(await harness.store.extents(['d', 'e', 'never'])).toEqual(extents);
      await harness.reopen();
      const { store } = harness;
      expect(await store.lastSeen(['d', 'e'])).toEqual(before[3]);
      const cold = await store.extents(['d', 'e', 'never']);
      expect(cold).toEqual(extents);
      // What is read without opening a device is what the device says.
      const { records, first, last, bytes } = await store.summary('d');
      expect(cold[0]).toEqual({ records, first, last, bytes });
      expect(await pageText(store, 'd', { offset: 0, limit: 2000 })).toBe(before[0]);
      expect(await scanned(store, 'e')).toStrictEqual(before[1]);
      expect(await store.keys('e')).toEqual(before[2]);
      expect((await store.devices()).toSorted()).toEqual(['d', 'e']);
      expect(store.recovery).toEqual([]);
    });

    test('goes on in order of arrival', async () => {
      for (const n of ['a', 'b', 'c']) {
        await harness.store.append('d', [record(1, { n })]);
        await harness.reopen();
      }
      expect(await pageOfN(harness.store, 'd')).toEqual(['c', 'b', 'a']);
    });

    test('remembers when a purged device was last seen and purged', async () => {
      await harness.store.append('d', counting(0, 10));
      const { lastSeen } = await harness.store.summary('d');
      await harness.store.purge('d', 42);
      await harness.reopen();
      expect(await harness.store.lastSeen(['d'])).toEqual([lastSeen]);
      expect(await harness.store.summary('d')).toMatchObject({
        records: 0,
        lastSeen,
        purgedAt: 42,
        keys: [],
      });
    });

    test('does not bring back what was purged, deleted, dropped or aborted', async () => {
      const { store } = harness;
      for (const device of ['purged', 'deleted', 'dropped', 'aborted'])
        await store.append(device, counting(0, 10));
      const batch = await store.batch('aborted');
      await batch.add(counting(100, 3000));
      await batch.abort();
      await store.purge('purged', 1);
      await store.deleteRange('deleted', { start: 3000 });
      await store.drop('dropped');
      await harness.reopen();
      expect(await harness.store.count('purged')).toBe(0);
      expect(await pageOfN(harness.store, 'deleted')).toEqual([2, 1, 0]);
      expect(await harness.store.lastSeen(['deleted', 'dropped'])).toEqual([
        counting(9, 1)[0]?.received,
        null,
      ]);
      expect(await harness.store.count('dropped')).toBe(0);
      expect(await harness.store.count('aborted')).toBe(10);
    });

    test('finds committed batches, and nothing of one that was not', async () => {
      const committed = await harness.store.batch('d');
      const left = await harness.store.batch('d');
      await committed.add(counting(0, 3000));
      await left.add(counting(5000, 3000));
      await committed.commit();
      await harness.reopen();
      expect(await scanned(harness.store, 'd')).toEqual(counting(0, 3000));
    });

    test('reports bytes on disk, and fewer after a purge', async () => {
      await harness.store.append('d', counting(0, 3000));
      const { bytes } = await harness.store.summary('d');
      expect(bytes).toBeGreaterThan(0);
      await harness.store.purge('d', 1);
      expect((await harness.store.summary('d')).bytes).toBeLessThan(bytes);
    });
  });
}
