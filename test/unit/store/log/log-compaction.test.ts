import { rmSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import type { Limits } from '#core/store/log/device/common.ts';
import { checkLog } from '#core/store/log/check/check.ts';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import { DEVICES, send } from '../../../helpers/store/many-devices.ts';
import { pageOfN, record, scanned } from '../../../suites/record-store/harness.ts';

/* What becomes of the records of thousands of devices when a log file is full, and of one whose folder cannot be written. */

let directory: string;
let open: RecordStore[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-carrying-'));
});
afterEach(async () => {
  await Promise.allSettled(open.map((store) => store.close()));
  open = [];
  await rm(directory, { recursive: true });
});

const SMALL_LOG = { walBytes: 1 << 16, roundFiles: 1 };

async function openStore(
  limits: Partial<Limits>,
  files: Files = nodeFiles,
  said: string[] = [],
): Promise<RecordStore> {
  const store = await openLog({ directory, limits, files, say: (line) => said.push(line) });
  open.push(store);
  return store;
}

/** Resolves when all full files of the log are given up, so that nothing is under way. */
async function quiet(): Promise<void> {
  await vi.waitFor(
    async () => {
      const logs = (await readdir(directory)).filter((name) => /^wal-\d/.test(name));
      expect(logs.length).toBe(1);
    },
    { timeout: 20_000 },
  );
}

/** A store on a copy of what this one has on disk, as after a kill. */
async function killed(limits: Partial<Limits>): Promise<RecordStore> {
  await quiet();
  const copy = await mkdtemp(join(tmpdir(), 'fieldbench-carrying-'));
  await cp(directory, copy, { recursive: true });
  await open.pop()?.close();
  await rm(directory, { recursive: true });
  directory = copy;
  return openStore(limits);
}

interface Counted {
  readonly files: Files;
  syncs: number;
}

function counted(): Counted {
  const count = { syncs: 0, files: nodeFiles };
  const files: Files = {
    ...nodeFiles,
    openForWriting(path, create, mode) {
      const file = nodeFiles.openForWriting(path, create, mode);
      const sync = file.sync.bind(file);
      file.sync = () => {
        count.syncs++;
        return sync();
      };
      return file;
    },
    syncDirectory(path) {
      count.syncs++;
      return nodeFiles.syncDirectory(path);
    },
  };
  return Object.assign(count, { files });
}

test('many devices with few records each cost a few syncs together, not a few each', async () => {
  const carrying = counted();
  await send(await openStore(SMALL_LOG, carrying.files), 20);
  await quiet();
  const withCarrying = carrying.syncs;
  await open.pop()?.close();
  rmSync(directory, { recursive: true });
  const moving = counted();
  await send(await openStore({ ...SMALL_LOG, manyDevices: Infinity }, moving.files), 20);
  await quiet();
  expect(moving.syncs).toBeGreaterThan(4 * DEVICES.length);
  expect(withCarrying * 8).toBeLessThan(moving.syncs);
});

test('what is carried on is there once after a kill, in order of arrival, and moves when there is enough of it', async () => {
  const limits = { ...SMALL_LOG, fewRows: 40 };
  let store = await openStore(limits);
  await send(store, 15);
  // Late records, too, and equal times.
  await Promise.all(DEVICES.map((device) => store.append(device, [record(3, { n: 'late' })])));
  await send(store, 10, 15);
  expect((await store.devices()).length).toBe(DEVICES.length);
  store = await killed(limits);
  expect(store.recovery).toEqual([]);
  const expected = [...Array.from({ length: 21 }, (_, i) => 24 - i), 'late', 3, 2, 1, 0];
  for (const device of DEVICES) expect(await pageOfN(store, device)).toEqual(expected);
  await send(store, 80, 25);
  for (const device of [DEVICES[0]!, DEVICES[299]!]) expect(await store.count(device)).toBe(106);
  await quiet();
  const folders = await Promise.all(DEVICES.map(async (id) => readdir(join(directory, id)).catch(() => [])));
  expect(folders.filter((names) => names.some((name) => name.endsWith('.seg'))).length).toBeGreaterThan(100);
});

test('receipts and the time of the last contact are carried on, too', async () => {
  let store = await openStore(SMALL_LOG);
  await store.append('device-7', [{ ...record(1), received: 5_000_000 }], { receipt: 'first' });
  await send(store, 20, 2);
  const lastSeen = await store.lastSeen(['device-7']);
  store = await killed(SMALL_LOG);
  expect(await store.lastSeen(['device-7'])).toEqual(lastSeen);
  expect(await store.append('device-7', [record(1)], { receipt: 'first' })).toBe('duplicate');
  expect(await store.count('device-7')).toBe(21);
});

test('what was purged, deleted and dropped stays gone, and its text leaves the log', async () => {
  const limits = { ...SMALL_LOG, eraseAfterMs: 0 };
  let store = await openStore(limits);
  await send(store, 5);
  for (const device of ['device-1', 'device-2', 'device-3'])
    await store.append(device, [record(100, { secret: 'swordfish' })]);
  await send(store, 15, 5);
  await store.purge('device-1', 1);
  await store.deleteRange('device-2', { start: 100, end: 100 });
  await store.drop('device-3');
  await send(store, 2, 20);
  await vi.waitFor(
    async () => {
      const logs = (await readdir(directory)).filter((name) => name.startsWith('wal-'));
      for (const name of logs)
        expect((await readFile(join(directory, name))).includes('swordfish')).toBe(false);
    },
    // An erasure rests for twenty times as long as it took.
    { timeout: 120_000 },
  );
  store = await killed(limits);
  expect(await pageOfN(store, 'device-1')).toEqual([21, 20]);
  expect(await store.count('device-2')).toBe(22);
  expect(await pageOfN(store, 'device-3')).toEqual([21, 20]);
  expect(await store.count('device-4')).toBe(22);
});

test('a folder that cannot be written stops its own device alone, is told of, and goes on when it can be', async () => {
  let isBroken = false;
  const broken = Object.assign(new Error("EACCES: permission denied, open '/x/1.seg'"), { code: 'EACCES' });
  const said: string[] = [];
  const store = await openStore(
    { walBytes: 1 << 16 },
    {
      ...nodeFiles,
      openForWriting(path, create, mode) {
        if (isBroken && path.includes(join(directory, 'bad'))) throw broken;
        return nodeFiles.openForWriting(path, create, mode);
      },
    },
    said,
  );
  await store.append('bad', [record(0)]);
  isBroken = true;
  const large = (n: number) => record(n, { n, text: `${n}`.repeat(4000) });
  // Many times what waiting files of the log could hold.
  for (let n = 1; n <= 400; n++) await store.append('good', [large(n)]);
  await store.append('bad', [record(1)]);
  expect(await store.count('good')).toBe(400);
  expect(await pageOfN(store, 'bad')).toEqual([1, 0]);
  const told = store.recovery.filter(({ kind }) => kind === 'stuck');
  expect(told).toHaveLength(1);
  expect(said).toEqual(told.map(({ message }) => message));
  expect(told[0]?.message).toMatch(
    /device bad cannot be moved .* are safe, and it is tried again.*permission/,
  );
  const logs = (await readdir(directory)).filter((name) => name.startsWith('wal-'));
  expect(logs.length).toBeLessThan(6);

  // The one that is stuck takes no more than a bounded part of log and memory.
  const sent = await Promise.allSettled(
    Array.from({ length: 30 }, async (_, n) => store.append('bad', [record(n, { t: 'x'.repeat(1 << 19) })])),
  );
  expect(sent.every(({ status }) => status === 'fulfilled')).toBe(true);
  await expect(store.append('bad', [record(3)])).rejects.toMatchObject({ code: 'read-only' });
  await store.append('good', [large(401)]);

  isBroken = false;
  await store.append('bad', [record(4)]);
  expect(await store.count('bad')).toBe(33);
  expect(store.recovery.at(-1)?.message).toMatch(/device bad can be moved to its folder again/);
  expect(said.at(-1)).toBe(store.recovery.at(-1)?.message);
});

test('a folder that was taken away is made again', async () => {
  const store = await openStore({ walBytes: 1 << 16 });
  for (let n = 0; n < 200; n++) await store.append('d', [record(n, { t: 'x'.repeat(1000) })]);
  rmSync(join(directory, 'd'), { recursive: true });
  for (let n = 200; n < 600; n++) await store.append('d', [record(n, { t: 'x'.repeat(1000) })]);
  await store.append('e', [record(1)]);
  expect(await scanned(store, 'e')).toEqual([record(1)]);
  await store.close();
  expect((await readdir(join(directory, 'd'))).filter((name) => name === 'manifest')).toHaveLength(1);
});

/*
 * A folder of the version that carried nothing on: `a` has 150 records with receipts, some in segments and some in the log,
 * `b` six in the log, `purged` none.
 */
test('a folder from before opens with all it holds, and is carried on from then on', async () => {
  await cp(join(import.meta.dirname, '../../../fixtures/log-3'), directory, { recursive: true });
  expect((await checkLog(directory)).findings).toEqual([]);
  const limits = { ...SMALL_LOG, manyDevices: 0 };
  let store = await openStore(limits);
  expect(store.recovery.map(({ kind }) => kind)).toEqual(['upgraded']);
  const holds = async () => Promise.all(['a', 'b', 'purged'].map((id) => store.count(id)));
  expect(await holds()).toEqual([150, 6, 0]);
  expect(await store.append('a', [record(1)], { receipt: 'a149' })).toBe('duplicate');
  expect(await store.append('a', [record(1)], { receipt: 'a0' })).toBe('duplicate');
  await send(store, 12);
  store = await killed(limits);
  expect(await holds()).toEqual([150, 6, 0]);
  expect(await store.append('a', [record(1)], { receipt: 'a149' })).toBe('duplicate');
  expect((await store.summary('b')).keys).toEqual([{ key: 'n', count: 6, numeric: 0 }]);
  await store.close();
  expect((await checkLog(directory)).findings).toEqual([]);
  // An older version knows logs up to version 3, and refuses.
  for (const name of (await readdir(directory)).filter((each) => /^wal-\d/.test(each)))
    expect((await readFile(join(directory, name))).readUInt32LE(4)).toBe(6);
});
