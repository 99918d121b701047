import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packRecords } from '#core/store/blocks/block/packer.ts';
import type { StoredRecord } from '#core/store/store.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { counting, pageOfN, record, scanned, threadWorkOf, type Harness, type Supports } from './harness.ts';
import { again, ALL, changeOf, keptIn, replace } from './replace.ts';

/** Replacements of the records of a range, which can be undone. */
export function replacingTests(harness: Harness, { durable, threads }: Supports): void {
  const reopen = async () => (durable ? harness.reopen() : undefined);

  async function keptRecords(name: string) {
    const found: StoredRecord[] = [];
    for await (const batch of harness.store.scanKept('d', name)) found.push(...batch);
    return found;
  }

  describe('a replacement', () => {
    test('of a range is undone, and done again, with what arrived meanwhile in its place', async () => {
      await harness.store.append('d', [
        record(1),
        record(3, { n: 'first' }),
        record(3, { n: 'second' }),
        record(9),
      ]);
      const range = { start: 2, end: 5 };
      const before = await scanned(harness.store, 'd');
      expect(await replace(harness.store, before.slice(1, 3).map(again), { name: 'a', range })).toBe(true);
      const late = record(3, { n: 'late' });
      await harness.store.append('d', [late, record(2, { n: 'new' })]);
      await reopen();
      const decoded = ["second'", "first'"];
      expect(await pageOfN(harness.store, 'd')).toEqual([9, 'late', ...decoded, 'new', 1]);
      expect(await keptIn(harness.store)).toEqual([['a', 2, 3, 3]]);
      expect(await keptRecords('a')).toEqual(before.slice(1, 3));
      expect(
        (await scanned(harness.store, 'd', { start: 3, end: 3 })).map(({ received }) => received),
      ).toEqual([1_000_003, 1_000_003, 1_000_003]);

      const since = [late, record(2, { n: 'new' })];
      expect(await replace(harness.store, since, { name: 'b', range, back: 'a' })).toBe(true);
      await harness.store.append('d', [record(3, { n: 'later' })]);
      await reopen();
      expect(await pageOfN(harness.store, 'd')).toEqual([9, 'later', 'late', 'second', 'first', 'new', 1]);
      expect(await keptIn(harness.store)).toEqual([['b', 4, 2, 3]]);

      const later = [record(3, { n: 'later' })];
      expect(await replace(harness.store, later, { name: 'c', range, back: 'b' })).toBe(true);
      await reopen();
      expect(await pageOfN(harness.store, 'd')).toEqual([9, 'later', 'late', ...decoded, 'new', 1]);
      expect(await keptIn(harness.store)).toEqual([['c', 5, 2, 3]]);
      expect(await harness.store.keys('d')).toEqual(['m', 'n']);
    });

    test('of a range in the middle of many leaves those beside it', async () => {
      await harness.store.append('d', counting(0, 5000));
      const range = { start: 1_500_000, end: 3_499_000 };
      const old = await scanned(harness.store, 'd', range);
      expect(old).toHaveLength(2000);
      expect(await replace(harness.store, old.map(again), { name: 'a', range })).toBe(true);
      const expected = counting(0, 5000).map((one, i) => (i >= 1500 && i < 3500 ? again(one) : one));
      expect(await scanned(harness.store, 'd')).toEqual(expected);
      await reopen();
      expect(await scanned(harness.store, 'd')).toEqual(expected);
      expect(await keptIn(harness.store)).toEqual([['a', 2000, 1_500_000, 3_499_000]]);
      expect(await keptRecords('a')).toEqual(old);
      expect(await keptRecords('b')).toEqual([]);
      expect(await replace(harness.store, [], { name: 'b', range, back: 'a' })).toBe(true);
      expect(await scanned(harness.store, 'd')).toEqual(counting(0, 5000));
      await reopen();
      expect(await scanned(harness.store, 'd')).toEqual(counting(0, 5000));
      expect(await harness.store.discard('d', 'b')).toBe(true);
      expect((await harness.store.check('d')).records).toBe(5000);
    });

    test('by nothing, of nothing, or of nothing by something, is one too', async () => {
      const { store } = harness;
      expect(await replace(store, [], { name: 'a' })).toBe(true);
      expect(await store.devices()).toEqual([]);
      expect(await replace(store, [record(1)], { name: 'a' })).toBe(true);
      expect(await keptIn(store)).toEqual([]);
      expect(await replace(store, [], { name: 'a' })).toBe(true);
      expect(await pageOfN(store, 'd')).toEqual([]);
      expect(await keptIn(store)).toEqual([['a', 1, 1, 1]]);
      expect(await replace(store, [], { name: 'b', back: 'a' })).toBe(true);
      expect(await pageOfN(store, 'd')).toEqual([1]);
      expect(await keptIn(store)).toEqual([]);
    });

    test('is no sign of life, and leaves when a device was purged, unless that comes back', async () => {
      const { store } = harness;
      await store.append('d', [record(1), record(2)]);
      await store.purge('d', 5);
      await store.append('d', [record(3)]);
      expect(await replace(store, [record(9)], { name: 'a' })).toBe(true);
      expect(await store.summary('d')).toMatchObject({ records: 1, lastSeen: 1_000_003, purgedAt: 5 });
      await store.keep('d', 'purged', { at: 7 });
      expect(await replace(store, [record(8)], { name: 'b', back: 'purged' })).toBe(true);
      expect(await store.summary('d')).toMatchObject({ records: 2, lastSeen: 1_000_003, purgedAt: 5 });
      await reopen();
      expect(await harness.store.summary('d')).toMatchObject({ lastSeen: 1_000_003, purgedAt: 5 });
    });

    test.runIf(threads)('may be by what came packed', async () => {
      const { store } = harness;
      await store.append('d', counting(0, 3));
      const batch = await threadWorkOf(store).batch('d');
      const packer = packRecords((packed) => batch.addPacked(packed));
      await packer.add(counting(0, 3).map(again));
      await packer.end();
      expect(await batch.replace(await changeOf(store, 'd', { name: 'a', range: ALL }))).toBe(true);
      expect(await pageOfN(store, 'd')).toEqual(["2'", "1'", "0'"]);
    });

    test('and its undo, again and again, keep the order of arrival among equal times', async () => {
      const times = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 });
      const life = fc.record({
        before: fc.array(times, { minLength: 1, maxLength: 4 }),
        range: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })).map(([start, end]) => ({ start, end })),
        rounds: fc.array(fc.array(times, { maxLength: 3 }), { maxLength: 4 }),
        reopens: fc.boolean(),
      });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(life, async ({ before, range, rounds, reopens }) => {
          const device = `d${run++}`;
          let n = 0;
          const arrive = async (some: readonly (readonly number[])[]) => {
            const all: StoredRecord[] = [];
            for (const each of some) {
              const records = each.map((time) => record(time, { n: n++ }));
              await harness.store.append(device, records);
              all.push(...records);
            }
            return all;
          };
          const inOrder = (records: readonly StoredRecord[]) =>
            records.toSorted((a, b) => a.timestamp - b.timestamp);
          const isIn = ({ timestamp }: StoredRecord) => timestamp >= range.start && timestamp <= range.end;
          const shows = async (records: readonly StoredRecord[]) => {
            if (reopens) await reopen();
            expect(await scanned(harness.store, device)).toEqual(inOrder(records));
          };
          let plain = await arrive(before);
          let decoded = inOrder(plain).map((one) => (isIn(one) ? again(one) : one));
          const old = await scanned(harness.store, device, range);
          expect(await replace(harness.store, old.map(again), { name: 'k0', range }, device)).toBe(true);
          await shows(decoded);
          for (const [round, some] of rounds.entries()) {
            const since = await arrive(some);
            plain = [...plain, ...since];
            decoded = [...decoded, ...since];
            const isKept = (await harness.store.kept(device)).some(({ name }) => name === `k${round}`);
            if (!isKept) return;
            const change = { name: `k${round + 1}`, range, back: `k${round}` };
            const own = inOrder(since.filter(isIn));
            expect(await replace(harness.store, own, change, device)).toBe(true);
            await shows(round % 2 === 0 ? plain : decoded);
          }
        }),
        { numRuns: someRuns(60) },
      );
    });
  });
}
