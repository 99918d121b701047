import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe } from 'vitest';
import type { OpenRecords, RecordStore } from '#core/store/store.ts';
import { createThreads, type Threads } from '#core/threads/threads.ts';
import { WORKER_SCRIPT } from '../helpers/service/scripts.ts';
import { correctionTests } from './record-store/corrections.ts';
import { durabilityTests } from './record-store/durability.ts';
import type { Harness, Supports } from './record-store/harness.ts';
import { keyLimitTests } from './record-store/key-limit.ts';
import { lastSeenTests } from './record-store/last-seen.ts';
import { latestTests } from './record-store/latest.ts';
import { modelTests } from './record-store/model.ts';
import { packedUploadTests } from './record-store/packed-uploads.ts';
import { payloadTests } from './record-store/payloads.ts';
import { readingTests } from './record-store/reading.ts';
import { receiptTests } from './record-store/receipts.ts';
import { refusedReplacementTests } from './record-store/refused-replacements.ts';
import { removalTests } from './record-store/removal.ts';
import { replacingTests } from './record-store/replacing.ts';
import { retireTests } from './record-store/retire.ts';
import { seriesTests } from './record-store/series.ts';
import { valueTests } from './record-store/values.ts';
import { writingTests } from './record-store/writing.ts';

/** A driver under test: how a store of it is opened in a folder, and what it supports. */
export interface Driver {
  /** `threads` are for a driver that supports them. */
  readonly open: OpenRecords;
  /** Empties what a driver has elsewhere than in the folder, before each test. */
  readonly renew?: () => Promise<void>;
  readonly supports: Supports;
}

/** What core/store/store.ts promises, for any implementation. */
export function recordStoreSuite(name: string, { open, renew, supports }: Driver): void {
  const { durable } = supports;
  describe(name, () => {
    let directory: string;
    let store: RecordStore;
    const threads: Threads | null = supports.threads ? createThreads({ script: WORKER_SCRIPT }) : null;
    afterAll(() => threads?.close());

    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'fieldbench-store-'));
      await renew?.();
      store = await open({ directory, threads });
    });
    afterEach(async () => {
      await store.close();
      await rm(directory, { recursive: true });
    });

    const harness: Harness = {
      get store() {
        return store;
      },
      async reopen() {
        await store.close();
        store = await open({ directory, threads });
      },
    };
    readingTests(harness);
    valueTests(harness);
    payloadTests(harness, durable);
    writingTests(harness, supports);
    packedUploadTests(harness, supports);
    keyLimitTests(harness, supports);
    removalTests(harness);
    replacingTests(harness, supports);
    refusedReplacementTests(harness, supports);
    retireTests(harness, supports);
    receiptTests(harness, supports);
    seriesTests(harness);
    correctionTests(harness);
    lastSeenTests(harness, durable);
    latestTests(harness, durable);
    if (durable) durabilityTests(harness);
    modelTests(harness, durable);
  });
}
