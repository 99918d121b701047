import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkLog } from '#core/store/log/check/check.ts';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import { counting, record } from '../../../suites/record-store/harness.ts';

/*
 * When a device was last seen is a state of its own, in the manifest and, for the day that this is lost, in segments.
 * The fixture is a folder of the version in which an import was a sign of life, too: `rig` stored by itself (last seen
 * at 6000), `file` was imported (70000), `both` was both (80000), `purged` was seen at 9000.
 */

const VERSION_1 = join(import.meta.dirname, '../../../fixtures/log-1');
const SEEN = { rig: 6000, file: 70_000, both: 80_000, purged: 9000 };
const DEVICES = Object.keys(SEEN);

let directory: string;
let store: RecordStore | null = null;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-seen-'));
});
afterEach(async () => {
  await store?.close();
  store = null;
  await rm(directory, { recursive: true });
});

async function open(): Promise<RecordStore> {
  await store?.close();
  // Everything moves to segments when it closes.
  return (store = await openLog({ directory, limits: { keptWalBytes: 0 } }));
}

async function importInto(into: RecordStore, device: string, received: number): Promise<void> {
  const batch = await into.batch(device);
  await batch.add(counting(0, 10).map((one) => ({ ...one, received })));
  await batch.commit();
}

describe('a folder of version 1', () => {
  beforeEach(() => cp(VERSION_1, directory, { recursive: true }));

  test('opens as before: every device was last seen when it was', async () => {
    expect((await checkLog(directory)).findings).toEqual([]);
    const opened = await open();
    expect(await opened.lastSeen(DEVICES)).toEqual(Object.values(SEEN));
    expect(await Promise.all(DEVICES.map((device) => opened.count(device)))).toEqual([2, 3, 2, 0]);
    expect(await opened.summary('purged')).toMatchObject({ lastSeen: 9000, purgedAt: 9500 });
    expect(opened.recovery.map(({ kind }) => kind)).toEqual(['upgraded']);
  });

  test('goes on in this version, where an import is no sign of life', async () => {
    const opened = await open();
    for (const device of DEVICES) await importInto(opened, device, 900_000);
    await opened.append('rig', [{ ...record(5), received: 100_000 }]);
    const again = await open();
    expect(await again.lastSeen(DEVICES)).toEqual([100_000, 70_000, 80_000, 9000]);
    expect(await again.count('both')).toBe(12);
    await again.close();
    expect((await checkLog(directory)).findings).toEqual([]);
    const manifest = await readFile(join(directory, 'rig', 'manifest'), 'utf8');
    expect(manifest).toMatch(/^fieldbench-device 3 /);
  });

  test('is refused by the version that made it from then on, whose log knew no range deletes', async () => {
    const opened = await open();
    await opened.deleteRange('rig', {});
    const logs = (await readdir(directory)).filter((name) => name.startsWith('wal-'));
    const files = await Promise.all(logs.map((name) => readFile(join(directory, name))));
    expect(files.map((bytes) => bytes.readUInt32LE(4))).toEqual(files.map(() => 6));
    expect(files.some((bytes) => bytes.includes(Buffer.from('rig')))).toBe(true);
    expect(opened.recovery.map(({ kind }) => kind)).toEqual(['upgraded']);
  });

  test('says the same where its manifests are lost, since its segments cannot tell an import', async () => {
    for (const device of ['rig', 'file', 'both']) await rm(join(directory, device, 'manifest'));
    expect(await (await open()).lastSeen(['rig', 'file', 'both'])).toEqual([6000, 70_000, 80_000]);
  });
});

describe('where a manifest is lost', () => {
  test('segments still know when the device itself last sent something', async () => {
    const opened = await open();
    await importInto(opened, 'file', 900_000);
    await opened.append('rig', [{ ...record(1), received: 5000 }]);
    await importInto(opened, 'rig', 900_000);
    await opened.append('deleted', [{ ...record(1), received: 5000 }, record(2)]);
    await opened.deleteRange('deleted', { start: 2 });
    await opened.close();
    for (const device of ['file', 'rig', 'deleted']) await rm(join(directory, device, 'manifest'));
    const again = await open();
    expect(await again.lastSeen(['file', 'rig', 'deleted'])).toEqual([null, 5000, record(2).received]);
    expect(again.recovery.map(({ kind }) => kind)).toEqual(['damaged', 'damaged', 'damaged']);
  });
});
