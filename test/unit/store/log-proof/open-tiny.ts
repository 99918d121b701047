import type { Files } from '#core/store/log/files.ts';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';

/** The engine on a simulated disk, with limits that a few records reach. */
export function openTiny(files: Files): Promise<RecordStore> {
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
    },
  });
}
