import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFiles } from '#core/disk/files.ts';
import { openLog } from '#core/store/log/log.ts';
import { failingFiles } from '../../../faults/failing-files.ts';
import { record } from '../../../suites/record-store/harness.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-many-'));
});
afterEach(() => rm(directory, { recursive: true }));

const ids = Array.from({ length: 1000 }, (_, n) => `device-${n}`);
const NOTHING = { records: 0, first: null, last: null, bytes: 0 };

test('devices without data are known from one listing: nothing is asked of the disk for each', async () => {
  const asked: string[] = [];
  const files = failingFiles(nodeFiles, (what, path) => {
    asked.push(`${what} ${path}`);
    return null;
  });
  const first = await openLog({ directory, files });
  await first.append('device-7', [record(1)]);
  await first.close();

  const store = await openLog({ directory, files });
  expect(await store.devices()).toEqual(['device-7']);
  asked.length = 0;
  const seen = await store.lastSeen(ids);
  const extents = await store.extents(ids);
  for (const id of ids.slice(100)) await store.retire(id);
  for (const id of ids.slice(100)) await store.drop(id);
  expect(asked.filter((each) => !each.includes('device-7')).length).toBeLessThan(10);
  expect(seen.filter((each) => each !== null)).toHaveLength(1);
  expect(extents.map(({ records }) => records).indexOf(1)).toBe(7);
  expect(extents[8]).toEqual(NOTHING);

  await store.append('device-8', [record(2), record(3)]);
  expect((await store.extents(['device-8', 'device-9'])).map(({ records }) => records)).toEqual([2, 0]);
  expect((await store.lastSeen(['device-8']))[0]).not.toBeNull();
  await store.close();
  const again = await openLog({ directory });
  expect(await again.count('device-8')).toBe(2);
  await again.drop('device-8');
  expect(await again.extents(['device-8'])).toEqual([NOTHING]);
  await again.close();
});
