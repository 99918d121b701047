import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { test } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { clients, doorOf, mergesAtOnce } from '../../helpers/lab/merges-at-once.ts';
import { someRuns } from '../../helpers/some-runs.ts';

test('many that merge into one device at once leave the union, whatever is stored and removed meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(clients, (acts) => mergesAtOnce([doorOf(createMemoryRecordStore(), 'd')], acts)),
    { numRuns: someRuns(1600) },
  );
});

test('the same in a folder', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-merges-'));
  const store = await openLog({ directory });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(clients, (acts) => mergesAtOnce([doorOf(store, `d${run++}`)], acts)),
    { numRuns: someRuns(160) },
  );
  await store.close();
  await rm(directory, { recursive: true });
});
