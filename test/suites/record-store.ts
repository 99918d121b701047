import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe } from 'vitest';
import type { RecordStore } from '#core/store/store.ts';
import { durabilityTests } from './record-store/durability.ts';
import type { Harness } from './record-store/harness.ts';
import { lastSeenTests } from './record-store/last-seen.ts';
import { modelTests } from './record-store/model.ts';
import { readingTests } from './record-store/reading.ts';
import { removalTests } from './record-store/removal.ts';
import { seriesTests } from './record-store/series.ts';
import { valueTests } from './record-store/values.ts';
import { writingTests } from './record-store/writing.ts';

/** What core/store/store.ts promises, for any implementation. Not `durable`: nothing outlives a close. */
export function recordStoreSuite(
  name: string,
  open: (directory: string) => Promise<RecordStore>,
  { durable = true }: { durable?: boolean } = {},
): void {
  describe(name, () => {
    let directory: string;
    let store: RecordStore;

    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'fieldbench-store-'));
      store = await open(directory);
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
        store = await open(directory);
      },
    };
    readingTests(harness);
    valueTests(harness);
    writingTests(harness);
    removalTests(harness);
    seriesTests(harness);
    lastSeenTests(harness, durable);
    if (durable) durabilityTests(harness);
    modelTests(harness, durable);
  });
}
