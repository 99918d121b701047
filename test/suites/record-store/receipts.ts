import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordStore } from '#core/store/store.ts';
import { counting, pageOfN, record, type Harness } from './harness.ts';
import { someRuns } from '../../helpers/some-runs.ts';

const send = (store: RecordStore, receipt: string, ns: readonly number[], device = 'd') =>
  store.append(
    device,
    ns.map((n) => record(n, { n })),
    { receipt },
  );

/** What is sent again with its receipt is stored once, whatever happens in between. */
export function receiptTests(harness: Harness, { durable }: { readonly durable: boolean }): void {
  const reopen = async () => {
    if (durable) await harness.reopen();
  };

  describe('receipts', () => {
    test('store what comes with them once, whatever comes with them again', async () => {
      const { store } = harness;
      expect(await send(store, 'r', [1, 2])).toBe('stored');
      expect(await send(store, 'r', [1, 2])).toBe('duplicate');
      expect(await send(store, 'r', [7])).toBe('duplicate');
      expect(await send(store, 'R', [3])).toBe('stored');
      expect(await store.append('d', [record(4)])).toBe('stored');
      expect(await pageOfN(store, 'd')).toEqual([4, 3, 2, 1]);
      expect(await store.lastSeen(['d'])).toEqual([record(4).received]);
    });

    test('are of one device, and of any length from 1 to 255', async () => {
      const { store } = harness;
      for (const receipt of ['!', '~'.repeat(255), '"quoted, and all"'.replaceAll(' ', '_')]) {
        expect(await send(store, receipt, [1])).toBe('stored');
        expect(await send(store, receipt, [1], 'e')).toBe('stored');
        expect(await send(store, receipt, [1])).toBe('duplicate');
      }
      for (const wrong of ['', '~'.repeat(256), 'a b', 'ä', 'a\n'])
        await expect(send(store, wrong, [9])).rejects.toMatchObject({ name: 'StoreError', code: 'io' });
      expect(await store.count('d')).toBe(3);
    });

    test('leave no trace of no records', async () => {
      const { store } = harness;
      expect(await store.append('d', [], { receipt: 'r' })).toBe('stored');
      expect(await send(store, 'r', [1])).toBe('stored');
    });

    test('store once what comes many times at the same time', async () => {
      const { store } = harness;
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(store, 'r', [1])));
      expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1);
      expect(await store.count('d')).toBe(1);
    });

    test('work for large batches as for small ones', async () => {
      const large = counting(0, 3000);
      expect(await harness.store.append('d', large, { receipt: 'r' })).toBe('stored');
      await reopen();
      expect(await harness.store.append('d', large, { receipt: 'r' })).toBe('duplicate');
      expect(await harness.store.count('d')).toBe(3000);
    });

    test('outlive purges and range deletes, and not a drop', async () => {
      await send(harness.store, 'r', [1, 2]);
      await harness.store.deleteRange('d', {});
      expect(await send(harness.store, 'r', [1, 2])).toBe('duplicate');
      await harness.store.purge('d', 1);
      await reopen();
      expect(await send(harness.store, 'r', [1, 2])).toBe('duplicate');
      expect(await harness.store.count('d')).toBe(0);
      await harness.store.drop('d');
      expect(await send(harness.store, 'r', [1, 2])).toBe('stored');
      expect(await send(harness.store, 'r', [1, 2])).toBe('duplicate');
      await reopen();
      expect(await send(harness.store, 'r', [1, 2])).toBe('duplicate');
      expect(await harness.store.count('d')).toBe(2);
    });

    test('of a device are remembered, 1,000 of them at least', async () => {
      for (let from = 0; from < 2500; from += 250)
        await Promise.all(
          Array.from({ length: 250 }, (_, i) => send(harness.store, `${from + i}`, [from + i])),
        );
      for (let round = 0; round < 2; round++) {
        const again = Array.from({ length: 1000 }, (_, i) => send(harness.store, `${1500 + i}`, [0]));
        expect(new Set(await Promise.all(again))).toEqual(new Set(['duplicate']));
        await reopen();
      }
      expect(await harness.store.count('d')).toBe(2500);
    });

    test('store each upload exactly once in any sequence of sends, deletions and restarts', async () => {
      const step = fc.oneof(
        {
          weight: 6,
          arbitrary: fc.record({
            kind: fc.constant('send'),
            receipts: fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 5 }),
          }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('purge', 'delete', 'drop', 'reopen') }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('fill'), count: fc.nat({ max: 40 }) }) },
      );
      await fc.assert(
        fc
          .asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
            const known = new Set<number>();
            let there = 0;
            for (const one of steps) {
              const { store } = harness;
              if (one.kind === 'send') {
                const answers = await Promise.all(one.receipts.map((n) => send(store, `r${n}`, [n])));
                const fresh = new Set(one.receipts.filter((n) => !known.has(n)));
                expect(answers.filter((answer) => answer === 'stored')).toHaveLength(fresh.size);
                for (const n of fresh) known.add(n);
                there += fresh.size;
              } else if (one.kind === 'fill') {
                await store.append('d', counting(0, one.count));
                there += one.count;
              } else if (one.kind === 'reopen') {
                await reopen();
              } else {
                if (one.kind === 'purge') await store.purge('d', 1);
                else if (one.kind === 'delete') await store.deleteRange('d', {});
                else await store.drop('d');
                if (one.kind === 'drop') known.clear();
                there = 0;
              }
              expect(await harness.store.count('d')).toBe(there);
            }
          })
          .afterEach(() => harness.store.drop('d')),
        { numRuns: someRuns(60) },
      );
    });
  });
}
