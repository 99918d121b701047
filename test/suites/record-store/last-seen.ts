import { describe, expect, test } from 'vitest';
import type { StoredRecord } from '#core/store/store.ts';
import { counting, type Harness } from './harness.ts';

/** Of one moment of receipt. */
function receivedAt(received: number, count: number, first = 0): StoredRecord[] {
  return counting(first, count).map((record) => ({ ...record, received }));
}

/** When a device was last seen: what it sent itself says so, what is imported for it does not. */
export function lastSeenTests(harness: Harness, durable: boolean): void {
  const reopen = async () => {
    if (durable) await harness.reopen();
  };

  async function seen(device: string): Promise<number | null> {
    const [listed = null] = await harness.store.lastSeen([device]);
    expect((await harness.store.summary(device)).lastSeen).toBe(listed);
    return listed;
  }

  async function importInto(device: string, records: readonly StoredRecord[]): Promise<void> {
    const batch = await harness.store.batch(device);
    await batch.add(records);
    await batch.commit();
  }

  describe('last seen', () => {
    test('is never, however much is imported, until the device itself sends something', async () => {
      await importInto('d', receivedAt(9_000_000, 3000));
      expect(await seen('d')).toBe(null);
      await reopen();
      expect(await seen('d')).toBe(null);
      await harness.store.deleteRange('d', { end: 5000 });
      await harness.store.purge('d', 1);
      expect(await seen('d')).toBe(null);
      await reopen();
      expect(await seen('d')).toBe(null);
      await harness.store.append('d', receivedAt(4000, 1));
      expect(await seen('d')).toBe(4000);
    });

    test('stays what the device made it, whatever is imported before, between and after', async () => {
      await importInto('d', receivedAt(8_000_000, 700));
      await harness.store.append('d', receivedAt(5000, 2, 100));
      await importInto('d', receivedAt(9_000_000, 700, 50));
      expect(await seen('d')).toBe(5000);
      await reopen();
      expect(await seen('d')).toBe(5000);
      await harness.store.append('d', receivedAt(6000, 700, 3000));
      await importInto('d', receivedAt(9_500_000, 10));
      await reopen();
      expect(await seen('d')).toBe(6000);
    });

    test('stays while small imports and uploads are merged', async () => {
      for (let n = 0; n < 12; n++) {
        await importInto('d', receivedAt(9_000_000 + n, 40, n * 20));
        await harness.store.append('d', receivedAt(1000 + n, 40, n * 20));
        if (n % 3 === 2) await reopen();
        expect(await seen('d')).toBe(1000 + n);
      }
    });

    test('outlives a purge and a range delete of everything, not a drop', async () => {
      await harness.store.append('d', receivedAt(5000, 2));
      await importInto('d', receivedAt(9_000_000, 2));
      await harness.store.deleteRange('d', {});
      expect(await seen('d')).toBe(5000);
      await importInto('d', receivedAt(9_000_000, 2));
      await harness.store.purge('d', 1);
      await reopen();
      expect(await seen('d')).toBe(5000);
      await harness.store.drop('d');
      await importInto('d', receivedAt(9_000_000, 2));
      expect(await seen('d')).toBe(null);
      await reopen();
      expect(await seen('d')).toBe(null);
    });
  });
}
