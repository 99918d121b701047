import { describe, expect, test } from 'vitest';
import { MOST_KEYS_OF_DEVICE } from '#core/store/store-errors.ts';
import type { Batch, Replacement, StoredRecord } from '#core/store/store.ts';
import { counting, pageOfN, record, scanned, type Harness, type Supports } from './harness.ts';
import { ALL, changeOf, keptIn, replace } from './replace.ts';

/** Replacements that come to nothing: the device, or what is asked, is another one. */
export function refusedReplacementTests(harness: Harness, { durable }: Supports): void {
  describe('a replacement', () => {
    test('comes to nothing where the device, or the range, is another one since', async () => {
      const { store } = harness;
      await store.append('d', [record(1), record(20)]);
      const range = { start: 0, end: 10 };
      const endOf = async (meanwhile: () => Promise<unknown>) => {
        const batch = await store.batch('d');
        await batch.add(counting(0, 3));
        const change = await changeOf(store, 'd', { name: 'a', range });
        await meanwhile();
        const before = await scanned(store, 'd');
        const revision = await store.revision('d');
        const end = await batch.replace(change);
        if (!end) expect([await scanned(store, 'd'), await store.revision('d')]).toEqual([before, revision]);
        return end;
      };
      expect(await endOf(() => store.append('d', [record(2)]))).toBe(false);
      expect(await endOf(() => store.deleteRange('d', { start: 20 }))).toBe(false);
      expect(await endOf(() => store.keep('d', 'k', { range }))).toBe(false);
      expect(await endOf(() => store.restore('d', 'k'))).toBe(false);
      expect(await endOf(() => replace(store, [record(3)], { name: 'b', range }))).toBe(false);
      expect(await endOf(() => store.purge('d', 1))).toBe(false);
      expect(await keptIn(store)).toEqual([['b', 2, 1, 2]]);
      expect(await endOf(() => store.append('d', [record(11)]))).toBe(true);
      expect(await pageOfN(store, 'd')).toEqual([2, 1, 11, 0]);
    });

    test('under a name that is taken, or for one that is not kept, is refused in words', async () => {
      const { store } = harness;
      await store.append('d', [record(1)]);
      await store.keep('d', 'taken', { range: { end: 1 } });
      await store.append('d', [record(2)]);
      const refused = async (change: Pick<Replacement, 'name' | 'back'>, message: RegExp) => {
        const batch = await store.batch('d');
        await batch.add([record(3)]);
        await expect(
          batch.replace(await changeOf(store, 'd', { ...change, range: ALL })),
        ).rejects.toMatchObject({
          name: 'StoreError',
          code: 'io',
          message: expect.stringMatching(message) as string,
        });
        await batch.abort();
        expect(await pageOfN(store, 'd')).toEqual([2]);
      };
      await refused({ name: 'taken' }, /^Records are kept under "taken" already; nothing was changed/);
      await refused({ name: 'taken', back: 'taken' }, /^Records are kept under "taken" already/);
      await refused({ name: 'a', back: 'none' }, /^No records are kept under "none"/);
      expect(await keptIn(store)).toEqual([['taken', 1, 1, 1]]);
      if (durable) await harness.reopen();
      expect(await pageOfN(harness.store, 'd')).toEqual([2]);
    });

    test('with too many keys, its own or those that come back, leaves everything as it was', async () => {
      const { store } = harness;
      const wide = (from: number, to: number): StoredRecord[] =>
        Array.from({ length: Math.ceil((to - from) / 256) }, (_, i) => {
          const first = from + 256 * i;
          const names = Array.from({ length: Math.min(256, to - first) }, (__, n) => `k${first + n}`);
          return record(first, Object.fromEntries(names.map((name) => [name, 1])));
        });
      await store.append('d', wide(0, 2000));
      await store.keep('d', 'back', { range: {} });
      await store.append('d', wide(2000, 4000));
      const before = await scanned(store, 'd');
      const refused = async (work: (batch: Batch) => Promise<unknown>) => {
        const batch = await store.batch('d');
        await expect(work(batch)).rejects.toMatchObject({ name: 'KeyLimitReached' });
        await batch.abort();
        expect(await scanned(store, 'd')).toEqual(before);
      };
      await refused((batch) => batch.add(wide(5000, 5001 + MOST_KEYS_OF_DEVICE - 2000)));
      await refused(async (batch) => {
        await batch.add([record(1, { k1: 1, new: 1 }), ...wide(5000, 5000 + MOST_KEYS_OF_DEVICE - 4000)]);
        await batch.replace(await changeOf(store, 'd', { name: 'a', range: { end: 5 }, back: 'back' }));
      });
      expect((await store.kept('d')).map(({ name }) => name)).toEqual(['back']);
      await store.deleteRange('d', { start: 3000 });
      expect(await replace(store, [record(7, { k1: 2, more: 1 })], { name: 'a', back: 'back' })).toBe(true);
      expect(await store.keys('d')).toHaveLength(2001);
      await store.append('d', wide(5000, 5000 + MOST_KEYS_OF_DEVICE - 2001));
      await expect(store.append('d', [record(1, { last: 1 })])).rejects.toMatchObject({ key: 'last' });
    });

    test('of a device that is retired, purged or dropped meanwhile is refused or comes to nothing', async () => {
      const { store } = harness;
      const device = 'replaced-and-retired';
      await store.append(device, counting(0, 2000));
      const begin = async () => {
        const batch = await store.batch(device);
        await batch.add(counting(0, 2000));
        const change = await changeOf(store, device, { name: 'a', range: { start: 500_000 } });
        return { batch, change };
      };
      const purged = await begin();
      const [isReplaced] = await Promise.all([purged.batch.replace(purged.change), store.purge(device, 1)]);
      const left = await store.count(device);
      expect(isReplaced ? [0, 2000] : [0]).toContain(left);
      await store.append(device, counting(0, 2000));
      const dropped = await begin();
      await store.drop(device);
      const end = await dropped.batch.replace(dropped.change).catch((error: unknown) => error);
      if (end !== false) expect(end).toMatchObject({ code: 'closed' });
      await dropped.batch.abort();
      expect(await store.devices()).toEqual([]);
      await store.append(device, counting(0, 2000));
      const retired = await begin();
      await store.retire(device);
      await expect(retired.batch.replace(retired.change)).rejects.toMatchObject({ code: 'retired' });
      expect(await scanned(store, device)).toEqual(counting(0, 2000));
      expect(await store.kept(device)).toEqual([]);
      await store.drop(device);
      expect(await store.devices()).toEqual([]);
    });

    test('among writers takes every record along, or comes to nothing, and loses none', async () => {
      const { store } = harness;
      await store.append('d', counting(0, 1000));
      const texts: string[] = [];
      const append = async (turns: number) => {
        for (let turn = 0; turn < turns; turn++) await nextTurn();
        texts.push(String(texts.length));
        await store.append('d', [record(texts.length % 7, { w: texts.at(-1) ?? '' })]);
      };
      let replaced = 0;
      for (let i = 0; i < 12; i++) {
        const old = await scanned(store, 'd', ALL);
        const batch = await store.batch('d');
        await batch.add(old.map((one) => ({ ...one, received: i })));
        const change = await changeOf(store, 'd', { name: `k${i}`, range: ALL });
        // The last one is alone, and so is made.
        const writers = i < 11 ? [append(0), append(i), append(i * i)] : [];
        const [isReplaced] = await Promise.all([batch.replace(change), ...writers]);
        const ofThis = (await scanned(store, 'd', ALL)).filter(({ received }) => received === i);
        expect(ofThis).toHaveLength(isReplaced ? old.length : 0);
        if (isReplaced) replaced++;
        else expect(i).toBeLessThan(11);
      }
      const all = await scanned(store, 'd');
      expect(all).toHaveLength(1000 + texts.length);
      const found = all.flatMap(({ keys, values }) => (keys[0] === 'w' ? [values[0]] : []));
      expect(found.map(String).toSorted()).toEqual(texts.toSorted());
      expect((await store.kept('d')).length).toBe(replaced);
    });
  });
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
