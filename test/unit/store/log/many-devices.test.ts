import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nodeFiles } from '#core/disk/files.ts';
import { DeviceLog } from '#core/store/log/device/device-log.ts';
import { openLog } from '#core/store/log/log.ts';
import { failingFiles } from '../../../faults/failing-files.ts';
import { pageOfN, record } from '../../../suites/record-store/harness.ts';
import { PATIENTLY } from '../../../helpers/patiently.ts';

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

test('a look at how much each of many devices holds leaves none of them in memory', async () => {
  const fill = async () => {
    const store = await openLog({ directory });
    for (const [n, id] of ids.slice(0, 100).entries())
      await store.append(id, [record(n), record(n + 1)], { receipt: id });
    await store.close();
  };
  await fill();
  const store = await openLog({ directory });
  const looked = await store.extents(ids.slice(0, 100));
  expect(queryObjects(DeviceLog, { format: 'count' })).toBe(0);
  for (const [n, id] of ids.slice(0, 100).entries()) await store.append(id, [], { receipt: `${id}-${n}` });
  // What they hold once they are in memory.
  expect(await store.extents(ids.slice(0, 100))).toEqual(looked);
  expect(looked[7]).toMatchObject({ records: 2, first: record(7).timestamp, last: record(8).timestamp });
  await store.close();
});

test('a device that was deleted leaves nothing but its id in memory, and still refuses records', async () => {
  const store = await openLog({ directory });
  const alive = () => queryObjects(DeviceLog, { format: 'count' });
  const deleted = ids.slice(0, 100);
  for (const id of deleted) await store.append(id, [record(1)], { receipt: 'r' });
  await store.append('device-200', [record(1)]);
  expect(alive()).toBe(101);

  await Promise.all(deleted.map((id) => store.retire(id)));
  await Promise.all(deleted.map((id) => store.drop(id)));
  await vi.waitFor(() => expect(alive()).toBeLessThan(5), PATIENTLY);
  await expect(store.append('device-3', [record(2)])).rejects.toMatchObject({ code: 'retired' });
  await expect(store.batch('device-3')).rejects.toMatchObject({ code: 'retired' });
  await expect(store.purge('device-3', 1)).rejects.toMatchObject({ code: 'retired' });
  expect(await store.extents(['device-3'])).toEqual([NOTHING]);
  expect(await store.lastSeen(['device-3'])).toEqual([null]);
  expect(await store.count('device-3')).toBe(0);
  expect(await store.isEmpty('device-3')).toBe(true);
  await store.retire('device-3');
  await store.drop('device-3');
  expect(await store.devices()).toEqual(['device-200']);
  // One may still be in the hands of what has just been awaited.
  expect(alive()).toBeLessThan(5);
  await store.close();

  const again = await openLog({ directory });
  expect(await again.devices()).toEqual(['device-200']);
  expect(await again.extents(deleted)).toEqual(deleted.map(() => NOTHING));
  await again.close();
});

test('devices that sleep are deleted without waking, and whoever reads one meanwhile does not make it take records', async () => {
  const some = ids.slice(0, 100);
  // More than are moved to segments when the store closes.
  const limits = { flushedOnClose: 8 };
  const first = await openLog({ directory, limits });
  for (const id of some) await first.append(id, [record(1), record(2)], { receipt: 'r' });
  await first.close();

  const store = await openLog({ directory, limits });
  const alive = () => queryObjects(DeviceLog, { format: 'count' });
  const before = alive();
  for (const id of some.slice(1)) await store.retire(id);
  expect(await store.count('device-1')).toBe(2);
  await expect(store.append('device-1', [record(3)])).rejects.toMatchObject({ code: 'retired' });
  await store.revive('device-2');
  expect(await store.append('device-2', [record(3)])).toBe('stored');
  const deleted = [...some.slice(3), 'device-1'];
  const read = store.count('device-3');
  const gone = await Promise.all(deleted.map((id) => store.drop(id)));
  expect(gone).toEqual(deleted.map(() => 2));
  expect([0, 2]).toContain(await read);
  expect(alive()).toBeLessThan(before + 5);
  await expect(store.append('device-9', [record(3)])).rejects.toMatchObject({ code: 'retired' });
  await store.close();

  const again = await openLog({ directory });
  expect((await again.devices()).toSorted()).toEqual(['device-0', 'device-2']);
  expect(await again.extents(deleted)).toEqual(deleted.map(() => NOTHING));
  await again.close();
});

test('deleting devices that hold nothing makes no log of any of them', async () => {
  const store = await openLog({ directory });
  await store.append('device-7', [record(1)]);
  await store.devices();
  const load = vi.spyOn(DeviceLog.prototype, 'load');
  const before = queryObjects(DeviceLog, { format: 'count' });
  for (const id of ids.slice(8)) await store.retire(id);
  await store.extents(ids.slice(8));
  for (const id of ids.slice(8)) await store.drop(id);
  expect(load).not.toHaveBeenCalled();
  expect(queryObjects(DeviceLog, { format: 'count' })).toBe(before);
  await expect(store.append('device-8', [record(1)])).rejects.toMatchObject({ code: 'retired' });
  load.mockRestore();
  await store.close();
});

test('what one writer sends at once stays in its order, also where nothing is known of the device yet', async () => {
  const store = await openLog({ directory });
  await store.devices();
  await Promise.all(Array.from({ length: 50 }, (_, n) => store.append('new', [record(1, { n })])));
  expect(await pageOfN(store, 'new')).toEqual(Array.from({ length: 50 }, (_, i) => 49 - i));
  await store.close();
});
