import { describe, expect, test } from 'vitest';
import { packRecords } from '#core/store/blocks/block/packer.ts';
import { counting, pageOfN, record, scanned, threadWorkOf, type Harness, type Supports } from './harness.ts';

const at = (timestamp: number, received: number) => ({ timestamp, received, keys: ['a'], values: [1] });

export function writingTests(harness: Harness, { durable, threads }: Supports): void {
  describe('storing', () => {
    test('shows a record as soon as it was acknowledged', async () => {
      const { store } = harness;
      for (let n = 0; n < 20; n++) {
        await store.append('d', [record(n)]);
        expect(await pageOfN(store, 'd', { limit: 1 })).toEqual([n]);
      }
    });

    test('takes many writers at once and loses and doubles nothing', async () => {
      const { store } = harness;
      const writers = Array.from({ length: 32 }, async (_, writer) => {
        for (let i = 0; i < 8; i++) await store.append('d', [record(i, { n: writer * 100 + i })]);
      });
      await Promise.all(writers);
      const expected = Array.from({ length: 256 }, (_, i) => Math.floor(i / 8) * 100 + (i % 8));
      expect((await pageOfN(store, 'd')).toSorted((a, b) => Number(a) - Number(b))).toEqual(expected);
    });

    test('keeps the order of one writer among equal timestamps', async () => {
      const { store } = harness;
      await Promise.all(Array.from({ length: 50 }, (_, n) => store.append('d', [record(1, { n })])));
      expect(await pageOfN(store, 'd')).toEqual(Array.from({ length: 50 }, (_, i) => 49 - i));
    });

    test('keeps devices apart', async () => {
      const { store } = harness;
      const devices = Array.from({ length: 60 }, (_, i) => `device-${i}`);
      await Promise.all(devices.map((device, i) => store.append(device, counting(i, i + 1))));
      expect((await store.devices()).toSorted()).toEqual(devices.toSorted());
      for (const [i, device] of devices.entries()) {
        expect(await store.count(device)).toBe(i + 1);
        expect(await pageOfN(store, device, { limit: 1 })).toEqual([2 * i]);
      }
    });

    test('takes no records without a trace', async () => {
      const { store } = harness;
      await store.append('d', []);
      expect(await store.count('d')).toBe(0);
      expect(await store.lastSeen(['d'])).toEqual([null]);
    });

    test('knows when devices were last seen: the latest receipt of what came last, whatever a clock said before', async () => {
      const { store } = harness;
      await store.append('a', [at(9, 500), at(8, 300)]);
      await store.append('b', [at(1, 100)]);
      await store.append('a', [at(7, 400)]);
      expect(await store.lastSeen(['b', 'never', 'a', 'b'])).toEqual([100, null, 400, 100]);
      expect(await store.summary('a')).toMatchObject({ lastSeen: 400 });
    });

    test('refuses everything once closed', async () => {
      const { store } = harness;
      await store.append('d', [record(1)]);
      await store.close();
      await expect(store.append('d', [record(2)])).rejects.toMatchObject({
        name: 'StoreError',
        code: 'closed',
      });
      await expect(store.page('d', { offset: 0, limit: 1 })).rejects.toMatchObject({ code: 'closed' });
      await store.close();
    });
  });

  describe('batches', () => {
    test('show nothing until they are committed, then everything', async () => {
      const { store } = harness;
      await store.append('d', [record(1), record(5)]);
      const batch = await store.batch('d');
      await batch.add(counting(2, 2000));
      await batch.add([record(3)]);
      expect(await pageOfN(store, 'd')).toEqual([5, 1]);
      expect(await store.keys('d')).toEqual(['n']);
      await batch.commit();
      expect(await store.count('d')).toBe(2003);
      expect(await pageOfN(store, 'd', { offset: 2000 })).toEqual([5, 3, 1]);
    });

    test.runIf(threads)('take records as they are and packed, in order of arrival', async () => {
      const { store } = harness;
      const batch = await threadWorkOf(store).batch('d');
      const packer = packRecords((packed) => batch.addPacked(packed));
      const numbered = (from: number) => Array.from({ length: 1500 }, (_, i) => record(7, { n: from + i }));
      await batch.add(numbered(0));
      await packer.add(numbered(1500));
      await packer.end();
      await batch.add(numbered(3000));
      await packer.add([record(5, { n: -1 }), record(9, { n: 4500 })]);
      await packer.end();
      await batch.commit();
      const inOrder = await scanned(store, 'd');
      expect(inOrder.map(({ values }) => values[0])).toEqual(Array.from({ length: 4502 }, (_, i) => i - 1));
    });

    test('are packed in threads where the store says so', () => {
      expect(harness.store.threadWork !== null).toBe(threads);
    });

    test('arrive when they are committed', async () => {
      const { store } = harness;
      const batch = await store.batch('d');
      await batch.add([record(1, { n: 'batch' })]);
      expect(await store.lastSeen(['d'])).toEqual([null]);
      await store.append('d', [record(1, { n: 'meanwhile' })]);
      await batch.commit();
      expect(await pageOfN(store, 'd')).toEqual(['batch', 'meanwhile']);
    });

    test('leave nothing when they are aborted', async () => {
      const { store } = harness;
      await store.append('d', [record(1)]);
      const batch = await store.batch('d');
      await batch.add(counting(0, 5000));
      await batch.abort();
      expect(await scanned(store, 'd')).toEqual([record(1)]);
      expect(await store.lastSeen(['d'])).toEqual([record(1).received]);
    });

    test('with a revision come to nothing where another batch was committed, or records were removed, since', async () => {
      const { store } = harness;
      const isStored = async (meanwhile: () => Promise<unknown>, length = 3) => {
        const revision = await store.revision('d');
        const batch = await store.batch('d');
        await batch.add(counting(100, length));
        await meanwhile();
        const before = await store.count('d');
        const end = await batch.commit(revision);
        expect(await store.count('d')).toBe(end ? before + length : before);
        return end;
      };
      const commitOther = async () => {
        const other = await store.batch('d');
        await other.add([record(4)]);
        expect(await other.commit()).toBe(true);
      };
      expect(await isStored(async () => undefined)).toBe(true);
      expect(await isStored(() => store.append('d', counting(200, 600)))).toBe(true);
      expect(await isStored(commitOther)).toBe(false);
      expect(await isStored(commitOther, 3000)).toBe(false);
      expect(await isStored(() => store.deleteRange('d', { start: 4, end: 4 }))).toBe(false);
      expect(await isStored(() => store.keep('d', 'k', { range: { start: 0, end: 100_000 } }))).toBe(false);
      expect(await isStored(() => store.restore('d', 'k'))).toBe(false);
      expect(await isStored(() => store.purge('d', 1))).toBe(false);
      expect(await isStored(async () => undefined)).toBe(true);
      if (durable) await harness.reopen();
      expect(await harness.store.count('d')).toBe(3);
    });

    test('may be several at once, and empty', async () => {
      const { store } = harness;
      const [first, second, empty] = await Promise.all([
        store.batch('d'),
        store.batch('d'),
        store.batch('e'),
      ]);
      await Promise.all([first.add(counting(0, 500)), second.add(counting(1000, 500))]);
      await Promise.all([second.commit(), empty.commit(), store.append('d', [record(7, { n: 7 })])]);
      await first.commit();
      expect(await store.count('d')).toBe(1001);
      expect(await store.count('e')).toBe(0);
    });
  });
}
