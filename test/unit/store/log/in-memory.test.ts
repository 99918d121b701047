import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryDisk, MEMORY_DIRECTORY, type MemoryDisk } from '#core/disk/memory/memory-disk.ts';
import { walkSnapshot } from '#core/store/log/device/snapshot/walk-snapshot.ts';
import { openLog } from '#core/store/log/log.ts';
import type { OpenRecords } from '#core/store/store.ts';
import { createThreads, type Threads } from '#core/threads/threads.ts';
import { WORKER_SCRIPT } from '../../../helpers/service/scripts.ts';
import { recordStoreSuite } from '../../../suites/record-store.ts';
import { counting, threadWorkOf } from '../../../suites/record-store/harness.ts';

const disks = new Map<string, MemoryDisk>();

/** The log of a folder that is in memory: who opens it again finds what was stored. */
const open: OpenRecords = (options) => {
  const { directory } = options;
  const disk = disks.get(directory) ?? createMemoryDisk(1 << 28);
  disks.set(directory, disk);
  return openLog({ ...options, files: disk.files });
};

recordStoreSuite('the append log in memory', {
  open,
  renew: async () => disks.clear(),
  supports: { durable: true, threads: true },
});

let threads: Threads;
beforeEach(() => void (threads = createThreads({ script: WORKER_SCRIPT })));
afterEach(() => threads.close());

/** A store with a thousand records of a device, most of them in segments. */
async function filled(copiedBytes: number) {
  const { files } = createMemoryDisk(1 << 26);
  const limits = { walBytes: 4096, threadRows: 10, manyDevices: 1, fewRows: 10, copiedBytes };
  const store = await openLog({ directory: MEMORY_DIRECTORY, files, threads, limits });
  for (let n = 0; n < 1000; n += 100) await store.append('d', counting(n, 100));
  return { store, files };
}

test('a thread, which finds no file in memory, gets a copy of the blocks, at the moment of the snapshot', async () => {
  const { store, files } = await filled(1 << 20);
  const segments = (await files.list(`${MEMORY_DIRECTORY}/d`)).filter(({ name }) => name.endsWith('.seg'));
  expect(segments.length).toBeGreaterThan(0);
  const snapshot = await threadWorkOf(store).snapshot('d');
  await store.append('d', counting(1000, 5));
  // As it crosses to a thread.
  const parts: unknown = structuredClone(snapshot?.parts);
  await snapshot?.release();
  const found: number[] = [];
  const walk = { range: {}, keys: ['n'], held: false, rows: false };
  for await (const _ of walkSnapshot(parts, walk, (_key, _time, _kind, number) => void found.push(number)));
  expect(found).toEqual(Array.from({ length: 1000 }, (_, n) => n));
  await store.close();
});

test('what is too much to be copied in one go is read by the thread of the store', async () => {
  const { store } = await filled(100);
  expect(await threadWorkOf(store).snapshot('d')).toBeNull();
  expect(await threadWorkOf(store).anySnapshot('d')).toBeNull();
  await store.close();
});
