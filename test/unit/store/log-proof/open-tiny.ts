import type { Files } from '#core/disk/files.ts';
import { openLog } from '#core/store/log/log.ts';
import type { Limits } from '#core/store/log/device/common.ts';
import type { RecordStore } from '#core/store/store.ts';

/** The engine on a simulated disk, with limits that a few records reach. What was deleted is erased on closing. */
export function openTiny(files: Files, limits: Partial<Limits> = {}): Promise<RecordStore> {
  return openLog({
    directory: '/data',
    files,
    limits: {
      walBytes: 3000,
      segmentRows: 64,
      handles: 2,
      blockBytes: 1 << 14,
      summaryBytes: 1 << 12,
      lateRuns: 2,
      manyDevices: 1,
      fewRows: 10,
      roundFiles: 2,
      eraseAfterMs: Infinity,
      ...limits,
    },
  });
}

/** The same, but it erases at once what was deleted. */
export function openErasing(files: Files): Promise<RecordStore> {
  return openTiny(files, { eraseAfterMs: 0 });
}

/** The same, but closing leaves all records in the log, where devices sleep until somebody asks for them. It erases at once, too. */
export function openSleeping(files: Files): Promise<RecordStore> {
  return openTiny(files, { flushedOnClose: 0, keptWalBytes: 500, roundFiles: 3, eraseAfterMs: 0 });
}
