import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import { createThreads } from '#core/threads/threads.ts';
import { WORKER_SCRIPT } from '../helpers/service/scripts.ts';

const threads = createThreads({ script: WORKER_SCRIPT });

/** The append log with limits so small that it moves, merges (in a thread) and reuses files all the time. */
export function openSmallLog({ directory }: { directory: string }): Promise<RecordStore> {
  return openLog({
    directory,
    threads,
    limits: {
      walBytes: 20_000,
      segmentRows: 300,
      handles: 3,
      blockBytes: 1 << 15,
      summaryBytes: 1 << 14,
      lateRuns: 2,
      threadRows: 200,
    },
  });
}
