import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StoreError } from '#core/base/errors.ts';
import type { Batch } from '#core/store/store.ts';
import { counting, pageOfN, record, scanned, type Harness } from './harness.ts';
import { someRuns } from '../../helpers/some-runs.ts';

const RETIRED = { name: 'StoreError', code: 'retired' };
let made = 0;
/** One that no other test has retired: it stays so while the store is open. */
const newDevice = () => `retired-${made++}`;

/** A device that is being deleted takes nothing more, whoever writes to it. */
export function retireTests(harness: Harness, { durable }: { readonly durable: boolean }): void {
  describe('a retired device', () => {
    test('refuses what comes, and shows what it has until it is dropped', async () => {
      const { store } = harness;
      const device = newDevice();
      await store.append(device, [record(1), record(2)]);
      await store.retire(device);
      await expect(store.append(device, [record(3)])).rejects.toMatchObject(RETIRED);
      await expect(store.batch(device)).rejects.toMatchObject(RETIRED);
      await expect(store.purge(device, 1)).rejects.toMatchObject(RETIRED);
      await expect(store.deleteRange(device, {})).rejects.toMatchObject(RETIRED);
      expect(await pageOfN(store, device)).toEqual([2, 1]);
      await store.drop(device);
      expect(await store.count(device)).toBe(0);
      await expect(store.append(device, [record(3)])).rejects.toMatchObject(RETIRED);
      await store.retire(device);
      expect(await store.devices()).toEqual([]);
    });

    test('may be one that never stored anything; others go on', async () => {
      const { store } = harness;
      const device = newDevice();
      await store.retire(device);
      await expect(store.append(device, [record(3)])).rejects.toMatchObject(RETIRED);
      await store.append('d', [record(1)]);
      expect(await store.count('d')).toBe(1);
    });

    test.runIf(durable)('is one like any other once the store was opened again', async () => {
      const device = newDevice();
      await harness.store.append(device, [record(1)]);
      await harness.store.retire(device);
      await harness.reopen();
      await harness.store.append(device, [record(2)]);
      expect(await pageOfN(harness.store, device)).toEqual([2, 1]);
    });

    test('ends a batch, whose signal says so and of which nothing is left', async () => {
      const { store } = harness;
      const device = newDevice();
      await store.append(device, [record(1)]);
      const batch = await store.batch(device);
      const untouched = await store.batch(device);
      await batch.add(counting(10, 3000));
      expect(batch.signal.aborted).toBe(false);
      await store.retire(device);
      for (const one of [batch, untouched]) {
        expect(one.signal.reason).toMatchObject(RETIRED);
        await expect(one.add([record(2)])).rejects.toMatchObject(RETIRED);
        await expect(one.commit()).rejects.toMatchObject(RETIRED);
        await one.abort();
      }
      expect(await scanned(store, device)).toEqual([record(1)]);
      await store.drop(device);
      expect(await store.devices()).toEqual([]);
    });

    test('has nothing under way once it is, whatever was when it began to be, and its records are all or none', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({ kind: fc.constantFrom('append', 'large', 'batch'), turns: fc.nat({ max: 6 }) }),
            { minLength: 1, maxLength: 8 },
          ),
          fc.nat({ max: 6 }),
          async (writers, turns) => {
            const { store } = harness;
            const device = newDevice();
            let ended = 0;
            let stored = 0;
            const writes = writers.map(async ({ kind, turns: until }) => {
              const count = kind === 'append' ? 3 : 700;
              let batch: Batch | null = null;
              try {
                if (kind !== 'batch') {
                  await store.append(device, counting(0, count));
                } else {
                  batch = await store.batch(device);
                  await batch.add(counting(0, count));
                  for (let i = 0; i < until; i++) await nextTurn();
                  await batch.commit();
                }
                stored += count;
              } catch (error) {
                if (!(error instanceof StoreError && error.code === 'retired')) throw error;
                await batch?.abort();
              }
              ended++;
            });
            for (let i = 0; i < turns; i++) await nextTurn();
            await store.retire(device);
            const before = await store.count(device);
            await Promise.all(writes);
            expect(ended).toBe(writers.length);
            expect(before).toBe(stored);
            expect(await store.count(device)).toBe(stored);
            await store.drop(device);
            expect(await store.devices()).toEqual([]);
          },
        ),
        { numRuns: someRuns(50) },
      );
    });
  });
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
