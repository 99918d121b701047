import { describe, expect, test } from 'vitest';
import { packRecords } from '#core/store/blocks/block/packer.ts';
import { MOST_KEYS_OF_DEVICE } from '#core/store/store-errors.ts';
import type { StoredRecord } from '#core/store/store.ts';
import { record, threadWorkOf, type Harness, type Supports } from './harness.ts';

const PER_RECORD = 256;

/** Records with keys `k<from>` to `k<to - 1>`, each once. */
function withKeys(from: number, to: number): StoredRecord[] {
  const records: StoredRecord[] = [];
  for (let first = from; first < to; first += PER_RECORD) {
    const names = Array.from({ length: Math.min(PER_RECORD, to - first) }, (_, i) => `k${first + i}`);
    records.push(record(first, Object.fromEntries(names.map((name) => [name, first]))));
  }
  return records;
}

export function keyLimitTests(harness: Harness, { durable, threads }: Supports): void {
  describe('the limit of keys', () => {
    test('names the record and the key that are one too many, and stores nothing of what they came with', async () => {
      const { store } = harness;
      await store.append('d', withKeys(0, MOST_KEYS_OF_DEVICE - 1));
      const before = await store.count('d');
      const late = [record(1, { k1: 1 }), record(2, { last: 1 }), record(3, { k2: 1, more: 1 })];
      await expect(store.append('d', late)).rejects.toMatchObject({
        name: 'KeyLimitReached',
        record: 2,
        key: 'more',
        limit: MOST_KEYS_OF_DEVICE,
      });
      expect(await store.count('d')).toBe(before);
      // The key before it was not stored, so there is room for another one.
      await store.append('d', [record(4, { other: 1 })]);
      await expect(store.append('d', [record(5, { last: 1 })])).rejects.toMatchObject({ key: 'last' });
      await store.append('d', [record(6, { k1: 1, other: 2 })]);
      expect(await store.keys('d')).toHaveLength(MOST_KEYS_OF_DEVICE);
      // It is a limit of each device.
      await store.append('e', [record(7, { last: 1 })]);
    });

    test('holds for what is stored at the same time', async () => {
      const { store } = harness;
      await store.append('d', withKeys(0, MOST_KEYS_OF_DEVICE - 3));
      const ends = await Promise.allSettled(
        Array.from({ length: 10 }, (_, i) => store.append('d', [record(i, { [`new${i}`]: i })])),
      );
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      expect(await store.keys('d')).toHaveLength(MOST_KEYS_OF_DEVICE);
    });

    test('holds for a batch, which then leaves nothing', async () => {
      const { store } = harness;
      await store.append('d', withKeys(0, MOST_KEYS_OF_DEVICE - 300));
      const batch = await store.batch('d');
      await batch.add(withKeys(5000, 5300));
      await expect(batch.add([record(8, { k1: 1 }), record(9, { k6000: 1 })])).rejects.toMatchObject({
        name: 'KeyLimitReached',
        key: 'k6000',
      });
      await batch.abort();
      expect(await store.keys('d')).toHaveLength(MOST_KEYS_OF_DEVICE - 300);
      const next = await store.batch('d');
      await next.add(withKeys(7000, 7300));
      await next.commit();
      await expect(store.append('d', [record(1, { more: 1 })])).rejects.toMatchObject({ key: 'more' });
    });

    test('counts anew after records went', async () => {
      const { store } = harness;
      await store.append('d', withKeys(0, MOST_KEYS_OF_DEVICE));
      await expect(store.append('d', [record(1, { more: 1 })])).rejects.toMatchObject({ key: 'more' });
      await store.deleteRange('d', { start: 0, end: PER_RECORD });
      await store.append('d', withKeys(9000, 9000 + 2 * PER_RECORD));
      await expect(store.append('d', [record(1, { more: 1 })])).rejects.toMatchObject({ key: 'more' });
      await store.purge('d', 1);
      await store.append('d', withKeys(0, MOST_KEYS_OF_DEVICE));
      await expect(store.append('d', [record(1, { more: 1 })])).rejects.toMatchObject({ key: 'more' });
    });

    test.runIf(durable)('is known again after a restart', async () => {
      await harness.store.append('d', withKeys(0, MOST_KEYS_OF_DEVICE));
      for (let restart = 0; restart < 2; restart++) {
        await harness.reopen();
        await expect(harness.store.append('d', [record(1, { more: 1 })])).rejects.toMatchObject({
          key: 'more',
        });
        await harness.store.append('d', [record(2, { k5: 1 })]);
      }
    });

    test.runIf(threads)('holds for packed records', async () => {
      const batch = await threadWorkOf(harness.store).batch('d');
      const packer = packRecords((packed) => batch.addPacked(packed));
      await packer.add(withKeys(0, MOST_KEYS_OF_DEVICE + 1));
      await expect(packer.end()).rejects.toMatchObject({ name: 'KeyLimitReached', record: null });
      await batch.abort();
      expect(await harness.store.isEmpty('d')).toBe(true);
    });
  });
}
