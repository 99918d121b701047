import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Files } from '#core/disk/files.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import type { FillableDisk } from '../faults/small-disk.ts';
import { pageOfN, record, scanned } from '../suites/record-store/harness.ts';
import { PATIENTLY } from '../helpers/patiently.ts';

const FULL = {
  name: 'StoreError',
  code: 'disk-full',
  message: expect.stringMatching(/^The (disk|memory for files) is full/) as string,
};

const big = (n: number): StoredRecord => record(n, { n, text: `${n}`.padEnd(20_000, '.') });
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** What opens a store in a folder. */
export type OpenHere = (options: {
  readonly directory: string;
  readonly files: Files;
}) => Promise<RecordStore>;

/** A store on a disk of 2 MB that fills up; `makeDisk` is null where there can be none here. */
export function fullDiskSuite(
  title: string,
  openStore: OpenHere,
  makeDisk: (() => Promise<FillableDisk>) | null,
): void {
  describe.skipIf(makeDisk === null)(`${title} on a small disk`, () => {
    let disk: FillableDisk;
    let store: RecordStore;
    const openHere = () => openStore({ directory: join(disk.directory, 'data'), files: disk.files });

    beforeEach(async () => {
      if (makeDisk === null) throw new Error('There is no small disk here.');
      disk = await makeDisk();
      store = await openHere();
    });
    afterEach(async () => {
      await store.close();
      await disk.remove();
    });

    /** Stores until the disk is full; answers how many records were acknowledged. */
    async function storeUntilFull(device: string): Promise<number> {
      for (let n = 0; ; n++) {
        try {
          await store.append(device, [big(n)]);
        } catch (error) {
          expect(error).toMatchObject(FULL);
          return n;
        }
      }
    }

    const numbers = async (device: string) =>
      (await scanned(store, device)).map(({ keys, values }) => values[keys.indexOf('n')]);

    test('says that it is full, keeps what it had and goes on once there is space', async () => {
      await disk.take(400_000);
      const stored = await storeUntilFull('d');
      expect(stored).toBeGreaterThan(20);
      expect(await numbers('d')).toEqual(upTo(stored));
      expect(await pageOfN(store, 'd', { limit: 2 })).toEqual([stored - 1, stored - 2]);
      await expect(store.append('d', [big(stored)])).rejects.toMatchObject(FULL);

      await disk.free();
      await store.append('d', [big(stored)]);
      await store.append('d', [big(stored + 1)]);
      await store.close();
      store = await openHere();
      expect(await numbers('d')).toEqual(upTo(stored + 2));
      expect(store.recovery).toEqual([]);
    });

    test('refuses writers that wait together, and stores nothing of theirs', async () => {
      await disk.fill();
      const stored = await storeUntilFull('d');
      const answers = await Promise.allSettled([1, 2, 3, 4].map((n) => store.append('d', [big(100 + n)])));
      for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: FULL });
      await disk.free();
      await store.close();
      store = await openHere();
      expect(await numbers('d')).toEqual(upTo(stored));
    });

    test('refuses a new device, and takes it once there is space', async () => {
      await disk.fill();
      await storeUntilFull('other');
      await expect(store.append('d', [big(0)])).rejects.toMatchObject(FULL);
      await disk.free();
      await store.append('d', [big(0)]);
      expect(await numbers('d')).toEqual([0]);
    });

    test('refuses a batch that does not fit, leaves nothing of it and gives its space back', async () => {
      await store.append('d', [big(0)]);
      const batch = await store.batch('d');
      await expect(
        (async () => {
          for (let i = 0; i < 200; i++) await batch.add([big(1000 + i)]);
          await batch.commit();
        })(),
      ).rejects.toMatchObject(FULL);
      await batch.abort();
      expect(await numbers('d')).toEqual([0]);
      for (let n = 1; n < 20; n++) await store.append('d', [big(n)]);
      expect(await numbers('d')).toEqual(upTo(20));
    });

    test('purges and drops on a full disk, and so makes space', async () => {
      await store.append('other', [big(0)]);
      const stored = await storeUntilFull('d');
      await disk.fill();
      expect(await store.purge('d', 1)).toBe(stored);
      // Files go a moment after the answer.
      for (let n = 0; n < 20; n++) await vi.waitFor(() => store.append('d', [big(n)]), PATIENTLY);
      await store.drop('d');
      await vi.waitFor(() => store.append('other', [big(1)]), PATIENTLY);
      expect(await numbers('other')).toEqual([0, 1]);
    });

    test('keeps and restores all or nothing on a full disk, and makes space by discarding', async () => {
      // Once it is free there is room for all that is in the log.
      await disk.take(1_100_000);
      await store.append('other', [big(0)]);
      const stored = await storeUntilFull('d');
      await disk.fill();
      const kept = await store.keep('d', 'k', { at: 1 }).then(
        ({ records }) => records,
        (error: unknown) => {
          expect(error).toMatchObject(FULL);
          return 0;
        },
      );
      expect([0, stored]).toContain(kept);
      expect(await numbers('d')).toEqual(upTo(stored - kept));
      await disk.free();
      if (kept === 0) await store.keep('d', 'k', { at: 1 });
      await disk.fill();
      const isBack = await store.restore('d', 'k').catch((error: unknown) => {
        expect(error).toMatchObject(FULL);
        return false;
      });
      expect(await numbers('d')).toEqual(isBack ? upTo(stored) : []);
      await disk.free();
      await store.close();
      store = await openHere();
      expect(await store.restore('d', 'k')).toBe(!isBack);
      expect(await numbers('d')).toEqual(upTo(stored));
      await store.keep('d', 'k', { at: 2 });
      await store.discard('d', 'k');
      await vi.waitFor(() => store.append('other', [big(1)]), PATIENTLY);
      expect(await numbers('other')).toEqual([0, 1]);
    });

    test('leaves a range as it is where what is to replace it does not fit, and gives its space back', async () => {
      await store.append('d', upTo(20).map(big));
      const others = upTo(20).map((n) => record(n, { n: n + 100, text: `${n}`.padEnd(20_000, '-') }));
      const replaceAll = async (isFull: boolean) => {
        const [revision, expected] = [await store.revision('d'), await store.count('d')];
        const batch = await store.batch('d');
        try {
          if (isFull) await disk.fill();
          await batch.add(others);
          return await batch.replace({ name: 'a', range: {}, revision, expected });
        } catch (error) {
          await batch.abort();
          expect(error).toMatchObject(FULL);
          return false;
        }
      };
      expect(await replaceAll(true)).toBe(false);
      expect(await numbers('d')).toEqual(upTo(20));
      expect(await store.kept('d')).toEqual([]);
      await disk.free();
      expect(await replaceAll(false)).toBe(true);
      await store.close();
      store = await openHere();
      expect(await numbers('d')).toEqual(upTo(20).map((n) => n + 100));
      expect(await store.kept('d')).toMatchObject([{ name: 'a', records: 20 }]);
      expect(store.recovery.filter(({ kind }) => kind === 'damaged')).toEqual([]);
    });
  });
}
