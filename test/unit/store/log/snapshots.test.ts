import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkLog } from '#core/store/log/check/check.ts';
import { openLog, type LogOptions } from '#core/store/log/log.ts';
import type { LogStore } from '#core/store/log/log-store.ts';
import { counting, pageOfN } from '../../../suites/record-store/harness.ts';

/* Snapshots of worlds, as files. */

let directory: string;
let store: LogStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-snapshots-'));
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

async function open(limits: LogOptions['limits'] = {}): Promise<LogStore> {
  return (store = await openLog({ directory, limits: { keptWalBytes: 0, ...limits } }));
}
const DEVICES = ['d', 'e'];
const take = (id: string) =>
  store.worlds.take({ id, account_id: 'w', name: id, created: 1 }, () => ({
    devices: DEVICES,
    live: new Set(DEVICES),
    projects: 1,
    kept: new Set(),
    rows: { of: id },
  }));
const folder = (...names: string[]) => join(directory, '_snapshots', ...names);

/** A device with a file, and one that is in the log alone. */
async function filled(): Promise<void> {
  await open();
  await store.append('d', counting(0, 3000));
  await store.close();
  await open();
  await store.append('e', counting(0, 3));
}

test('a snapshot copies nothing: its files are those of the devices by another name', async () => {
  await filled();
  expect(await take('s')).toMatchObject({ projects: 1, devices: 2, records: 3003 });
  expect(await readdir(folder('s'))).toEqual(['1.seg', 'marks']);
  const [own, saved] = await Promise.all(
    [join(directory, 'd', '1.seg'), folder('s', '1.seg')].map((path) => stat(path)),
  );
  expect(saved!.ino).toBe(own!.ino);
  expect((await stat(folder('s', 'marks'))).size).toBeLessThan(4000);
  expect(await store.worlds.rows('s')).toEqual({ of: 's' });
});

test('what a restore leaves to be settled waits while another one is under way', async () => {
  await filled();
  await take('s');
  const isSettled = async () => (await readdir(join(directory, 'd'))).includes('2.seg');
  await store.append('d', counting(3000, 3));
  await store.worlds.whileRestoring(async () => {
    await store.worlds.restore('s', 'mark');
    await setTimeout(50);
    expect(await isSettled()).toBe(false);
  });
  await vi.waitFor(async () => expect(await isSettled()).toBe(true));
});

test('a reader of what was restored goes on when the snapshot is deleted, and its files go behind it', async () => {
  await filled();
  await take('s');
  await store.purge('d', 7);
  await store.worlds.restore('s', 'm');
  const scan = store.scan('d')[Symbol.asyncIterator]();
  let read = ((await scan.next()).value as readonly unknown[]).length;
  await store.worlds.remove('s');
  expect(store.worlds.list()).toEqual([]);
  for (let next = await scan.next(); next.done !== true; next = await scan.next()) read += next.value.length;
  expect(read).toBe(3000);
  await expect.poll(() => readdir(folder())).toEqual([]);
  expect(await store.count('d')).toBe(3000);
});

test('what a snapshot has outlives a delete and its erasing, and nothing outlives the snapshot', async () => {
  await filled();
  await take('s');
  await store.drop('d');
  await store.drop('e');
  await store.close();
  await open();
  expect(await readdir(folder('s'))).toEqual(['1.seg', 'marks']);
  await store.worlds.restore('s', 'm');
  expect(await pageOfN(store, 'e')).toEqual([2, 1, 0]);
  await store.drop('d');
  await store.drop('e');
  await store.worlds.remove('s');
  await store.close();
  const left = await readdir(directory, { recursive: true });
  expect(left.filter((name) => !/^(wal-.*\.log|_snapshots)$/.test(name))).toEqual([]);
  await open();
});

test('one that was never finished is taken away by the next start', async () => {
  await filled();
  await take('s');
  await rm(folder('s', 'marks'));
  await store.close();
  await open();
  expect(await readdir(folder())).toEqual([]);
  expect(store.recovery).toEqual([]);
});

test('a damaged one is said, and cannot be restored; everything else goes on', async () => {
  await filled();
  await take('s');
  await take('t');
  const bytes = await readFile(folder('s', 'marks'));
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
  await writeFile(folder('s', 'marks'), bytes);
  await rm(folder('t', '1.seg'));
  await expect(store.worlds.restore('s', 'm')).rejects.toMatchObject({ code: 'damaged' });
  expect(await store.count('d')).toBe(3000);
  await store.close();
  const { findings } = await checkLog(directory, { repair: true });
  expect(findings).toMatchObject([
    { device: null, file: join('_snapshots', 's', 'marks') },
    { device: null, file: join('_snapshots', 't', '1.seg') },
  ]);
  await open();
  await store.worlds.remove('s');
  await store.worlds.remove('t');
  await store.close();
  expect((await checkLog(directory)).findings).toEqual([]);
  await open();
});

test('one of a newer version is refused, and nothing is changed', async () => {
  await filled();
  await take('s');
  const text = await readFile(folder('s', 'marks'), 'latin1');
  await store.close();
  await writeFile(
    folder('s', 'marks'),
    text.replace('fieldbench-snapshot 1', 'fieldbench-snapshot 2'),
    'latin1',
  );
  await expect(open()).rejects.toMatchObject({ code: 'newer-format' });
  await writeFile(folder('s', 'marks'), text, 'latin1');
  await open();
  expect(store.worlds.list()).toMatchObject([{ id: 's' }]);
});

test('a check of a device that was just restored finds nothing', async () => {
  await filled();
  await take('s');
  await store.append('d', counting(5000, 2000));
  await store.worlds.restore('s', 'm');
  expect(await store.check('d')).toMatchObject({ records: 3000, findings: [] });
  await store.close();
  expect((await checkLog(directory)).findings).toEqual([]);
  await open();
});
