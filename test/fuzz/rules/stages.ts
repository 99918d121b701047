import { createMemoryDisk, MEMORY_DIRECTORY } from '#core/disk/memory/memory-disk.ts';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import type { Stage } from './hunt-rules.ts';

/** Blocks and segments of few records, so that short streams have several. */
const LIMITS = { walBytes: 2048, segmentRows: 16, handles: 2, blockBytes: 1, lateRuns: 2, manyDevices: 1 };
/** Streams of which one log has the devices. */
const STREAMS = 400;

/** Streams in a store, each with devices of its own. */
export function stageOf(store: RecordStore): Stage {
  let streams = 0;
  let last: readonly string[] = [];
  return {
    store,
    devices() {
      const n = streams++;
      const ids = { d: `d-${n}`, e: `e-${n}` };
      last = [ids.d, ids.e];
      return ids;
    },
    async after() {
      for (const device of last) await store.drop(device);
    },
  };
}

/** Works on an append log in memory, for so many streams at a time. */
export async function overLog<T>(
  streams: number,
  work: (stage: Stage, some: number) => Promise<T>,
): Promise<T[]> {
  const found: T[] = [];
  for (let left = streams; left > 0; left -= STREAMS) {
    const { files } = createMemoryDisk(1 << 28);
    const store = await openLog({ directory: MEMORY_DIRECTORY, files, limits: LIMITS });
    try {
      found.push(await work(stageOf(store), Math.min(left, STREAMS)));
    } finally {
      await store.close();
    }
  }
  return found;
}
