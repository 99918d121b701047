import { afterEach, describe, expect, test } from 'vitest';
import { checkLog } from '#core/store/log/check/check.ts';
import type { RecordStore } from '#core/store/store.ts';
import { diskFiles } from '../../../faults/disk-files.ts';
import { Disk } from '../../../faults/disk.ts';
import type { Attempt, Fault } from '../../../faults/failing-files.ts';
import { record, scanned } from '../../../suites/record-store/harness.ts';
import { openTiny } from './open-tiny.ts';

/* What a user reads when the disk fails under the append log: what was being done, what is safe, what to do. */

let fault: ((what: Attempt) => Fault | null) | null = null;
let open: RecordStore[] = [];

afterEach(async () => {
  fault = null;
  await Promise.allSettled(open.map((store) => store.close()));
  open = [];
});

async function openOn(disk: Disk): Promise<RecordStore> {
  const store = await openTiny(diskFiles(disk, (_, what) => fault?.(what) ?? null));
  open.push(store);
  return store;
}

const failing = (code: Fault, ...steps: Attempt[]) =>
  void (fault = (what) => (steps.includes(what) ? code : null));

async function imports(store: RecordStore): Promise<void> {
  const batch = await store.batch('d');
  await batch.add([record(1)]);
  await batch.commit();
}

describe('an append log on a disk that', () => {
  test.each<[string, Fault, Attempt, string, string, (store: RecordStore) => Promise<unknown>]>([
    [
      'is full refuses records',
      'ENOSPC',
      'write',
      'disk-full',
      'The disk is full: storing records failed. Nothing stored before is lost. Free some space and try again.',
      (store) => store.append('d', [record(2)]),
    ],
    [
      'is read-only refuses records',
      'EROFS',
      'write',
      'read-only',
      'The data folder cannot be written: storing records failed. Give this user permission to write to it.',
      (store) => store.append('d', [record(2)]),
    ],
    [
      'is full refuses imported records',
      'ENOSPC',
      'make',
      'disk-full',
      'The disk is full: storing imported records failed. Nothing stored before is lost. Free some space and try again.',
      imports,
    ],
    [
      'does not confirm records refuses them for good',
      'EIO',
      'sync',
      'poisoned',
      'The disk did not confirm what was written, so nothing more is stored until the service is restarted. ' +
        'Records acknowledged before are safe; check the disk.',
      (store) => store.append('d', [record(2)]),
    ],
  ])('%s', async (_, code, step, expected, message, act) => {
    const store = await openOn(new Disk());
    await store.append('d', [record(1)]);
    failing(code, step);
    await expect(act(store)).rejects.toMatchObject({ name: 'StoreError', code: expected, message });
    fault = null;
    expect(await store.count('d')).toBe(1);
  });

  test('runs out of open files for a moment goes on when it has some again', async () => {
    let isOut = false;
    const files = diskFiles(new Disk());
    const outOfFiles = Object.assign(new Error('EMFILE: too many open files, open'), {
      code: 'EMFILE',
      syscall: 'open',
    });
    const store = await openTiny({
      ...files,
      syncDirectory: (path) => (isOut ? Promise.reject(outOfFiles) : files.syncDirectory(path)),
    });
    open.push(store);
    isOut = true;
    // More than a file of the log holds: they are to move to a folder that does not exist yet.
    for (let n = 0; n < 100; n++) await store.append('d', [record(n)]).catch(() => undefined);
    isOut = false;
    await store.append('d', [record(1000)]);
    await store.append('e', [record(1)]);
    expect(await store.count('e')).toBe(1);
  });

  test('cannot be read says so of reads', async () => {
    const disk = new Disk();
    const store = await openOn(disk);
    await imports(store);
    await store.close();
    const again = await openOn(disk);
    failing('EIO', 'read', 'open');
    await expect(scanned(again, 'd')).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(/^The disk failed: reading stored records failed \(EIO\)\.$/),
    });
    fault = null;
    expect(await scanned(again, 'd')).toHaveLength(1);
  });

  test.each<[string, Fault, Attempt, string]>([
    [
      'is full',
      'ENOSPC',
      'make',
      'The disk is full: opening the record store failed. Nothing stored before is lost. Free some space and try again.',
    ],
    [
      'may not be written to',
      'EACCES',
      'make',
      'The data folder cannot be written: opening the record store failed. Give this user permission to write to it.',
    ],
  ])('%s is named at the start', async (_, code, step, message) => {
    failing(code, step);
    await expect(openOn(new Disk())).rejects.toMatchObject({ name: 'StoreError', message });
  });
});

test('records that were purged on a full disk are not missing, neither for a check meanwhile nor after a kill', async () => {
  const disk = new Disk();
  const first = await openOn(disk);
  const records = Array.from({ length: 400 }, (_, n) => record(n));
  for (let n = 0; n < 400; n += 50) await first.append('d', records.slice(n, n + 50));
  await first.close();
  const store = await openOn(disk);
  const segments = [...disk.paths()].filter(([path]) => path.endsWith('.seg'));
  expect(segments.length).toBeGreaterThan(0);
  failing('ENOSPC', 'make', 'grow');
  expect(await store.purge('d', 1)).toBe(400);
  expect(await store.check('d')).toMatchObject({ records: 0, findings: [] });
  expect([...disk.paths()].filter(([path]) => path.endsWith('.seg'))).toEqual([]);
  // The manifest names them still, and the log says why they are gone.
  const killed = await checkLog('/data', { files: diskFiles(disk.copy()) });
  expect(killed).toMatchObject({ records: 0, findings: [] });
  fault = null;
  const again = await openOn(disk.copy());
  expect(await again.count('d')).toBe(0);
  expect(again.recovery).toMatchObject([{ kind: 'finished-purge', device: 'd' }]);
});
