import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLog } from '#core/store/log/check/check.ts';
import { openLog } from '#core/store/log/log.ts';
import { MOST_KEYS_OF_DEVICE } from '#core/store/store-errors.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { diskFiles } from '../../../faults/disk-files.ts';
import { Disk } from '../../../faults/disk.ts';
import { failingFiles, type AskFault } from '../../../faults/failing-files.ts';
import { counting, pageOfN, record, scanned } from '../../../suites/record-store/harness.ts';
import { again, changeOf } from '../../../suites/record-store/replace.ts';

/* Replacements as files, and what may happen while they are written. */

const RANGE = { start: 1_000_000, end: 1_999_000 };

async function imported(store: RecordStore, records: readonly StoredRecord[]): Promise<void> {
  const batch = await store.batch('d');
  await batch.add(records);
  await batch.commit();
}

async function staged(store: RecordStore) {
  const batch = await store.batch('d');
  await batch.add((await scanned(store, 'd', RANGE)).map(again));
  return { batch, change: await changeOf(store, 'd', { name: 'a', range: RANGE }) };
}

/** A store of 3,000 records on a disk that `fault` is asked about. */
async function openOn(fault: { ask: AskFault | null }) {
  const disk = new Disk();
  const files = failingFiles(diskFiles(disk), (what, path) => fault.ask?.(what, path) ?? null);
  const store = await openLog({ directory: '/data', files, limits: { keptWalBytes: 0 } });
  await imported(store, counting(0, 3000));
  return { store, files, disk };
}

test('files of records that stay, or go as a whole, are as they were, and so are those that come back', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-replacing-'));
  const contents = async () => {
    const names = (await readdir(join(directory, 'd'))).filter((name) => name.endsWith('.seg'));
    const read = names.map(async (name) => [name, await readFile(join(directory, 'd', name))] as const);
    return new Map(await Promise.all(read));
  };
  const store = await openLog({ directory, limits: { keptWalBytes: 0 } });
  await imported(store, counting(0, 1000));
  await imported(store, counting(1000, 1000));
  await imported(store, counting(2000, 1000));
  const before = await contents();
  const { batch, change } = await staged(store);
  expect(await batch.replace(change)).toBe(true);
  const after = await contents();
  expect(after.size).toBe(before.size + 1);
  expect(new Map([...after].filter(([name]) => before.has(name)))).toEqual(before);

  const undo = await store.batch('d');
  expect(await undo.replace(await changeOf(store, 'd', { name: 'b', range: RANGE, back: 'a' }))).toBe(true);
  expect(await contents()).toEqual(after);
  expect(await scanned(store, 'd')).toEqual(counting(0, 3000));
  await store.close();
  expect(await checkLog(directory)).toMatchObject({ findings: [], records: 3000, kept: 1000 });
  await rm(directory, { recursive: true });
});

test('what arrives while the ends of the range are written makes it come to nothing, and leaves no file', async () => {
  const fault: { ask: AskFault | null } = { ask: null };
  const { store, disk } = await openOn(fault);
  const { batch, change } = await staged(store);
  const segments = () => [...disk.paths()].filter(([path]) => path.endsWith('.seg')).length;
  const arriving: Promise<unknown>[] = [];
  let made = 0;
  fault.ask = (what, path) => {
    // The first one is the batch's.
    if (what === 'make' && path.endsWith('.seg') && ++made === 2)
      arriving.push(store.append('d', [record(1_500_000, { n: 'late' })]));
    return null;
  };
  expect(await batch.replace(change)).toBe(false);
  expect(made).toBe(3);
  await Promise.all(arriving);
  expect(await store.count('d', RANGE)).toBe(1001);
  expect(await store.kept('d')).toEqual([]);
  expect(segments()).toBe(1);
  await store.close();
});

test('a file of before that cannot be removed does not undo it, nor does the end of the batch', async () => {
  const fault: { ask: AskFault | null } = { ask: null };
  const { store, files } = await openOn(fault);
  const { batch, change } = await staged(store);
  const names = Array.from({ length: MOST_KEYS_OF_DEVICE - 2 }, (_, i) => `k${i}`);
  await batch.add([{ timestamp: 1_500_000, received: 1, keys: names, values: names.map(() => 1) }]);
  let removals = 0;
  fault.ask = (what, path) => (what === 'remove' && path.endsWith('.seg') && removals++ === 0 ? 'EIO' : null);
  await expect(batch.replace(change)).rejects.toMatchObject({ name: 'StoreError', code: 'io' });
  await batch.abort();
  fault.ask = null;
  const expected = async (of: RecordStore) => {
    expect((await pageOfN(of, 'd', { range: { start: 1_999_000 }, limit: 1001 })).at(-1)).toBe("1999'");
    expect(await of.count('d')).toBe(3001);
    expect(await of.kept('d')).toMatchObject([{ name: 'a', records: 1000 }]);
    expect(of.recovery.filter(({ kind }) => kind === 'damaged')).toEqual([]);
  };
  await expected(store);
  // Its keys are the device's.
  await expect(store.append('d', [record(1, { more: 1 })])).rejects.toMatchObject({ key: 'more' });
  await store.close();
  const found = await openLog({ directory: '/data', files });
  await expected(found);
  await found.close();
});

test('a disk that does not confirm it refuses all that comes, and the next start finds all of it, or nothing', async () => {
  const fault: { ask: AskFault | null } = { ask: null };
  const { store, files } = await openOn(fault);
  const { batch, change } = await staged(store);
  let syncs = 0;
  fault.ask = (what) => (what === 'sync-folder' && ++syncs > 1 ? 'EIO' : null);
  await expect(batch.replace(change)).rejects.toMatchObject({ code: 'poisoned' });
  fault.ask = null;
  await batch.abort();
  const next = await store.batch('d');
  await expect(next.replace(await changeOf(store, 'd', { name: 'b', range: RANGE }))).rejects.toMatchObject({
    code: 'poisoned',
  });
  await next.abort();
  await store.close().catch(() => undefined);
  const found = await openLog({ directory: '/data', files });
  const [kept] = await found.kept('d');
  const [first] = await scanned(found, 'd', RANGE);
  expect(first?.keys).toEqual(kept === undefined ? ['n'] : ['m', 'n']);
  expect(await found.count('d')).toBe(3000);
  expect(found.recovery.filter(({ kind }) => kind === 'damaged')).toEqual([]);
  await found.close();
});
