import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import { createThreads, type Threads } from '#core/threads/threads.ts';
import { FairSemaphore } from '#core/turns/semaphore.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';

// Records move to segments all the time, while the newest stay in memory; a view of any number is for a thread.
export const LIMITS = {
  walBytes: 16_384,
  segmentRows: 4096,
  handles: 2,
  blockBytes: 1,
  lateRuns: 2,
  threadRows: 1,
};

/** Stores that surveys read: one that reads in a thread, one in this thread, and the naive one. */
export interface SurveyStores {
  /** Of the test that runs; what it opens besides is closed with them. */
  readonly all: RecordStore[];
  readonly directory: string;
  readonly threads: Threads;
}

/** Opens empty stores for each test of a file, and closes them after it. */
export function surveyStores(): SurveyStores {
  const threads = createThreads({ script: WORKER_SCRIPT });
  const stores = { all: [] as RecordStore[], directory: '', threads };
  afterAll(() => threads.close());
  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'fieldbench-survey-'));
    stores.directory = directory;
    stores.all = [
      await openLog({ directory: join(directory, 'threads'), limits: LIMITS, threads }),
      await openLog({ directory: join(directory, 'alone'), limits: { ...LIMITS, threadRows: 1e9 } }),
      createMemoryRecordStore(),
    ];
  });
  afterEach(async () => {
    await Promise.all(stores.all.map((store) => store.close()));
    await rm(stores.directory, { recursive: true, force: true });
  });
  return stores;
}

/** What a survey of the device `d` is read with. */
export const surveyOptions = (records: RecordStore) => ({
  records,
  device: 'd',
  semaphore: new FairSemaphore(2).of(null),
  signal: undefined,
});
