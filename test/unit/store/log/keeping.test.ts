import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkLog } from '#core/store/log/check/check.ts';
import { openLog, type LogOptions } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import { counting, pageOfN, record, scanned } from '../../../suites/record-store/harness.ts';

/* What is removed so that it can come back, as files. */

let directory: string;
let store: RecordStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-keeping-'));
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

async function open(limits: LogOptions['limits'] = {}): Promise<RecordStore> {
  return (store = await openLog({ directory, limits: { keptWalBytes: 0, ...limits } }));
}
const segments = async (device = 'd') =>
  (await readdir(join(directory, device))).filter((name) => name.endsWith('.seg')).toSorted();

/** Flips a bit in the first block of a file. */
async function damage(name: string): Promise<void> {
  const path = join(directory, 'd', name);
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(100) ^ 4, 100);
  await writeFile(path, bytes);
}

test('a purge that is kept moves no record, and its restore none', async () => {
  await open();
  await store.append('d', counting(0, 3000));
  await store.close();
  const before = await segments();
  const contents = await Promise.all(before.map((name) => readFile(join(directory, 'd', name))));
  await open();
  await store.keep('d', 'k', { at: 7 });
  expect(await store.count('d')).toBe(0);
  expect(await segments()).toEqual(before);
  await store.close();
  await open();
  await store.restore('d', 'k');
  expect(await store.count('d')).toBe(3000);
  await store.close();
  expect(await Promise.all(before.map((name) => readFile(join(directory, 'd', name))))).toEqual(contents);
});

test('what is still in the write-ahead log is kept, too', async () => {
  await open();
  await store.append('d', counting(0, 3));
  await store.keep('d', 'k', { at: 7 });
  await store.append('d', counting(3, 1));
  // As if killed: what comes back is not lost with the log.
  const copy = await mkdtemp(join(tmpdir(), 'fieldbench-keeping-'));
  await cp(directory, copy, { recursive: true });
  const other = await openLog({ directory: copy });
  expect(await other.kept('d')).toMatchObject([{ name: 'k', records: 3 }]);
  await other.restore('d', 'k');
  expect(await pageOfN(other, 'd')).toEqual([3, 2, 1, 0]);
  await other.close();
  await rm(copy, { recursive: true });
});

test('a scan that is under way goes on over a purge, its restore and its end', async () => {
  await open();
  await store.append('d', counting(0, 5000));
  const scan = store.scan('d')[Symbol.asyncIterator]();
  const first = await scan.next();
  await store.keep('d', 'k', { at: 7 });
  await store.discard('d', 'k');
  let read = (first.value as readonly unknown[]).length;
  for (let next = await scan.next(); next.done !== true; next = await scan.next()) read += next.value.length;
  expect(read).toBe(5000);
  expect(await segments()).toEqual([]);
});

test('records of equal times come back in their order, though files were merged meanwhile', async () => {
  await open({ lateRuns: 2 });
  let n = 0;
  const store3 = async () => {
    for (let i = 0; i < 3; i++) await store.append('d', [record(1000, { n: n++ })]);
    await store.close();
    await open({ lateRuns: 2 });
  };
  await store3();
  await store.keep('d', 'first', { range: { start: 1000, end: 1000 } });
  for (let i = 0; i < 6; i++) await store3();
  await store.keep('d', 'second', { at: 9 });
  for (let i = 0; i < 6; i++) await store3();
  await store.restore('d', 'first');
  for (let i = 0; i < 6; i++) await store3();
  await store.restore('d', 'second');
  expect((await scanned(store, 'd')).map(({ values }) => values[0])).toEqual(
    Array.from({ length: n }, (_, i) => i),
  );
});

describe('check', () => {
  beforeEach(async () => {
    await open();
    await store.append('d', counting(0, 3000));
    await store.keep('d', 'k', { range: { end: 1_999_000 } });
    await store.close();
  });

  test('knows what is kept', async () => {
    expect(await checkLog(directory)).toMatchObject({ findings: [], records: 1000, kept: 2000 });
  });

  test('finds damage in it, which stops nothing, and mends it', async () => {
    const report = await checkLog(directory);
    const kept = (await segments()).toSorted().at(-1) ?? '';
    await damage(kept);
    const { findings } = await checkLog(directory);
    expect(findings).toMatchObject([{ device: 'd', loses: true, file: join('d', kept) }]);
    await open();
    expect(store.recovery).toEqual([]);
    expect(await store.count('d')).toBe(report.records);
    await store.close();
    await checkLog(directory, { repair: true });
    expect((await checkLog(directory)).findings).toEqual([]);
    await open();
    await store.restore('d', 'k');
    expect((await scanned(store, 'd')).length).toBe(2000);
  });

  test('names a file of it that is missing; what is left of it comes back', async () => {
    const kept = (await segments()).toSorted().at(-1) ?? '';
    await rm(join(directory, 'd', kept));
    expect((await checkLog(directory)).findings).toMatchObject([{ fault: { kind: 'missing' }, loses: true }]);
    await open();
    expect(await store.count('d')).toBe(1000);
    expect(store.recovery).toMatchObject([
      { kind: 'damaged', message: 'A file of 2000 records of device d is missing.' },
    ]);
    expect(await store.restore('d', 'k')).toBe(true);
    expect(await store.count('d')).toBe(1000);
  });

  test('finds a lost list of files; then everything counts again', async () => {
    await rm(join(directory, 'd', 'manifest'));
    await open();
    expect((await scanned(store, 'd')).length).toBe(3000);
    expect(await store.restore('d', 'k')).toBe(false);
  });
});

/*
 * A folder of the version whose manifests knew nothing kept, killed: `rig` has 32 records, of which 30 are left of a range
 * delete, `purged` none.
 */
test('a folder from before opens with all it holds, and keeps from then on', async () => {
  await cp(join(import.meta.dirname, '../../../fixtures/log-4'), directory, { recursive: true });
  expect((await checkLog(directory)).findings).toEqual([]);
  await open();
  expect(store.recovery.map(({ kind }) => kind)).toEqual(['upgraded']);
  expect(await store.count('rig')).toBe(32);
  expect(await store.kept('rig')).toEqual([]);
  await store.keep('rig', 'k', { at: 7 });
  await store.close();
  await open();
  expect(await store.count('rig')).toBe(0);
  await store.restore('rig', 'k');
  expect(await store.count('rig')).toBe(32);
  expect(await store.summary('purged')).toMatchObject({ records: 0, purgedAt: 1_772_409_605_000_000 });
  await store.close();
  // An older version knows manifests up to version 2, and refuses.
  expect(await readFile(join(directory, 'rig', 'manifest'), 'utf8')).toMatch(/^fieldbench-device 3 /);
});
