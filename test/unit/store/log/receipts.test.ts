import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkLog } from '#core/store/log/check/check.ts';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import { counting, record } from '../../../suites/record-store/harness.ts';

/*
 * The fixture is a folder of the version that knew no receipts: `a` has a record in the log and three in a segment, `b`
 * 600 in the log, `purged` none.
 */

const VERSION_2 = join(import.meta.dirname, '../../../fixtures/log-2');

let directory: string;
let store: RecordStore | null = null;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-receipts-'));
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

async function close(): Promise<void> {
  await store?.close();
  store = null;
}

const file = () => join(directory, 'd', 'receipts');
const send = async (receipt: string) => (await open()).append('d', [record(1)], { receipt });

describe('a folder without receipts', () => {
  beforeEach(() => cp(VERSION_2, directory, { recursive: true }));

  test('opens as before, and takes receipts from then on', async () => {
    expect((await checkLog(directory)).findings).toEqual([]);
    let opened = await open();
    expect(opened.recovery.map(({ kind }) => kind)).toEqual(['upgraded']);
    expect(await Promise.all(['a', 'b', 'purged'].map((id) => opened.count(id)))).toEqual([4, 600, 0]);
    expect(await opened.summary('purged')).toMatchObject({ purgedAt: 9500, lastSeen: 9000 });
    expect(await opened.append('a', [record(9)], { receipt: 'r' })).toBe('stored');
    opened = await open();
    expect(await opened.append('a', [record(9)], { receipt: 'r' })).toBe('duplicate');
    expect(await opened.count('a')).toBe(5);
    await close();
    expect((await checkLog(directory)).findings).toEqual([]);
    expect(await readdir(join(directory, 'b'))).not.toContain('receipts');
  });

  test('is refused by that version from then on, which knows logs up to version 2', async () => {
    await open();
    const logs = (await readdir(directory)).filter(
      (name) => name.startsWith('wal-') && name !== 'wal-spare.log',
    );
    const versions = await Promise.all(
      logs.map(async (name) => (await readFile(join(directory, name))).readUInt32LE(4)),
    );
    expect(Math.max(...versions)).toBe(6);
  });
});

describe('the file of receipts', () => {
  test('is there for devices that send some, small, and gone with the device', async () => {
    const opened = await open();
    for (let n = 0; n < 3000; n++)
      void opened.append('d', counting(n, 1), { receipt: `receipt ${n}`.replace(' ', '-') });
    await opened.append('e', counting(0, 10));
    await close();
    expect((await stat(file())).size).toBeLessThan(48 * 1024);
    expect((await readFile(file())).includes('receipt')).toBe(false);
    expect(await readdir(join(directory, 'e'))).not.toContain('receipts');
    await (await open()).drop('d');
    await close();
    expect(await readdir(directory)).not.toContain('d');
  });

  test('that is damaged is said to be, costs no other receipt, and can be mended', async () => {
    for (const receipt of ['one', 'two', 'three']) expect(await send(receipt)).toBe('stored');
    await close();
    const bytes = await readFile(file());
    bytes.writeUInt8(bytes.readUInt8(16 + 20) ^ 1, 16 + 20);
    await writeFile(file(), bytes);
    expect((await checkLog(directory)).findings).toMatchObject([
      { device: 'd', file: join('d', 'receipts'), loses: false, fault: { kind: 'receipts' } },
    ]);
    expect((await checkLog(directory, { repair: true })).repaired).toBe(true);
    expect((await checkLog(directory)).findings).toEqual([]);
    expect(await send('one')).toBe('duplicate');
    expect(await send('three')).toBe('duplicate');
    expect(await send('two')).toBe('stored');
  });

  test('that is damaged is noted when it is read, and written anew', async () => {
    for (const receipt of ['one', 'two']) await send(receipt);
    await close();
    const bytes = await readFile(file());
    bytes.writeUInt8(0, 0);
    await writeFile(file(), bytes);
    expect(await send('two')).toBe('duplicate');
    expect(store?.recovery).toMatchObject([{ device: 'd', kind: 'damaged' }]);
    expect(await store?.append('d', [record(2)], { receipt: 'three' })).toBe('stored');
    await close();
    expect((await checkLog(directory)).findings).toEqual([]);
  });

  test('whose end a crash tore goes on without it', async () => {
    await send('one');
    await close();
    await writeFile(file(), Buffer.concat([await readFile(file()), Buffer.alloc(30)]));
    expect((await checkLog(directory)).findings).toMatchObject([{ fault: { kind: 'stale' } }]);
    expect(await send('two')).toBe('stored');
    await close();
    expect((await checkLog(directory)).findings).toEqual([]);
    expect(await send('two')).toBe('duplicate');
    expect(store?.recovery).toEqual([]);
  });

  test('of a newer version is refused in words', async () => {
    await send('one');
    await close();
    const bytes = await readFile(file());
    bytes.writeUInt32LE(9, 4);
    const { crc32 } = await import('node:zlib');
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 12)), 12);
    await writeFile(file(), bytes);
    await expect(send('two')).rejects.toMatchObject({ code: 'newer-format' });
  });
});
