import { createMemoryDisk, type MemoryDisk } from '#core/disk/memory/memory-disk.ts';
import { openLog } from '#core/store/log/log.ts';
import type { OpenRecords } from '#core/store/store.ts';
import { recordStoreSuite } from '../../../suites/record-store.ts';

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
