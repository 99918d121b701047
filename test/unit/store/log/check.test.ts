import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkLog } from '#core/store/log/check/check.ts';
import { openLog } from '#core/store/log/log.ts';
import { SEGMENT_HEADER_BYTES } from '#core/store/log/segment/segment-writer.ts';
import { pageText, record } from '../../../suites/record-store/harness.ts';

/* What `fieldbench check` finds in a store that nobody has open, and what mending leaves of it. */

const ROWS = 3000;

describe('checking a store', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fieldbench-check-'));
    // Everything moves to segments when it closes.
    const store = await openLog({ directory, limits: { keptWalBytes: 0 } });
    for (const device of ['a', 'b'])
      await store.append(
        device,
        Array.from({ length: ROWS }, (_, i) =>
          record(i * 1000, { temp: i / 10, on: i % 2 === 0, ...(i % 7 === 0 && { note: `n${i}` }) }),
        ),
      );
    await store.close();
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function segmentOf(device: string): Promise<string> {
    const name = (await readdir(join(directory, device))).find((file) => file.endsWith('.seg'));
    return join(directory, device, name ?? 'no segment');
  }

  async function damage(path: string, at: (bytes: Buffer) => number): Promise<void> {
    const bytes = await readFile(path);
    const place = at(bytes);
    bytes.writeUInt8(bytes.readUInt8(place) ^ 4, place);
    await writeFile(path, bytes);
  }

  test('finds nothing wrong with a store that is whole, and counts what it read', async () => {
    const report = await checkLog(directory);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ devices: 2, records: 2 * ROWS, repaired: false });
    expect(report.bytes).toBeGreaterThan(ROWS);
  });

  test('names the block that is damaged and changes nothing', async () => {
    const path = await segmentOf('a');
    await damage(path, () => 1000);
    const before = await readFile(path);
    const { findings, records } = await checkLog(directory);
    expect(findings).toMatchObject([
      { device: 'a', loses: true, message: expect.stringContaining('Block 0') as unknown },
    ]);
    expect(records).toBe(2 * ROWS - 1000);
    expect(await readFile(path)).toEqual(before);
  });

  test('sets a damaged block aside, and every other record is still there', async () => {
    await damage(await segmentOf('a'), () => 1000);
    const { repaired } = await checkLog(directory, { repair: true });
    expect(repaired).toBe(true);
    expect((await checkLog(directory)).findings).toEqual([]);
    expect((await readdir(join(directory, 'a'))).filter((name) => name.endsWith('.damaged'))).toHaveLength(1);
    const store = await openLog({ directory });
    expect(store.recovery).toEqual([]);
    expect(await store.count('a')).toBe(ROWS - 1000);
    expect(await store.count('b')).toBe(ROWS);
    expect(await pageText(store, 'a', { offset: 1999, limit: 1 })).toContain('"temp":100}');
    await store.close();
  });

  test('leaves blocks out that a read finds damaged, says so, and answers from the others', async () => {
    await damage(await segmentOf('a'), () => 1000);
    const store = await openLog({ directory });
    const read = () => pageText(store, 'a', { offset: 0, limit: 10_000 });
    // Where the machine is slow the page goes out in pieces, and one that is cut off says that it is to be read again.
    const all = await read().catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'damaged' });
      return read();
    });
    expect(JSON.parse(all)).toHaveLength(2000);
    expect(await store.count('a')).toBe(2000);
    expect(store.recovery).toMatchObject([{ device: 'a', kind: 'damaged' }]);
    await store.purge('a', 1);
    await store.close();
    expect(await readdir(join(directory, 'a'))).toEqual(['manifest']);
  });

  test('rebuilds a damaged index from the blocks without losing a record', async () => {
    await damage(await segmentOf('b'), (bytes) => bytes.length - 20);
    expect((await checkLog(directory)).findings).toMatchObject([{ device: 'b', loses: false }]);
    const store = await openLog({ directory });
    expect(await store.count('b')).toBe(ROWS);
    expect(await store.keys('b')).toEqual(['note', 'on', 'temp']);
    expect(store.recovery).toMatchObject([{ device: 'b', kind: 'damaged' }]);
    await store.close();
    await checkLog(directory, { repair: true });
    expect((await checkLog(directory)).findings).toEqual([]);
  });

  test('has each record once where a disk has put a block into a segment once more', async () => {
    const path = await segmentOf('b');
    const bytes = await readFile(path);
    const end = SEGMENT_HEADER_BYTES + bytes.readUInt32LE(SEGMENT_HEADER_BYTES + 4);
    const block = bytes.subarray(SEGMENT_HEADER_BYTES, end);
    await writeFile(path, Buffer.concat([bytes.subarray(0, end), block, bytes.subarray(end)]));
    const store = await openLog({ directory });
    const ranks = JSON.parse(await pageText(store, 'b', { offset: 0, limit: 10_000 })) as { temp: number }[];
    expect(ranks.map(({ temp }) => temp)).toEqual(
      Array.from({ length: ROWS }, (_, i) => (ROWS - 1 - i) / 10),
    );
    expect(store.recovery).toMatchObject([
      { device: 'b', message: 'The index of a file of device b was damaged and has been rebuilt.' },
    ]);
    await store.close();
  });

  test('rebuilds a lost manifest from the segments', async () => {
    await rm(join(directory, 'a', 'manifest'));
    const { findings } = await checkLog(directory, { repair: true });
    expect(findings).toMatchObject([{ device: 'a', loses: false }]);
    const store = await openLog({ directory });
    expect(store.recovery).toEqual([]);
    expect(await store.count('a')).toBe(ROWS);
    await store.close();
  });

  test('reads a manifest of which one copy is damaged, whichever it is', async () => {
    const path = join(directory, 'a', 'manifest');
    const { length } = await readFile(path);
    for (const at of [10, length / 2 - 5, length / 2 + 3, length - 5]) {
      await damage(path, () => at);
      const store = await openLog({ directory });
      expect(await store.count('a')).toBe(ROWS);
      expect(store.recovery).toMatchObject([{ device: 'a', kind: 'damaged' }]);
      await store.close();
      await damage(path, () => at);
    }
  });

  test('says which records are gone with a missing segment', async () => {
    await rm(await segmentOf('a'));
    expect((await checkLog(directory)).findings).toMatchObject([
      { device: 'a', loses: true, message: expect.stringContaining('3000 records') as unknown },
    ]);
    await checkLog(directory, { repair: true });
    expect((await checkLog(directory)).findings).toEqual([]);
  });

  test('finds and mends a write-ahead log damaged between whole entries', async () => {
    const store = await openLog({ directory });
    for (let i = 0; i < 3; i++) await store.append('a', [record(5_000_000 + i, { temp: i })]);
    await store.close();
    const name = (await readdir(directory)).find((file) => /^wal-\d/.test(file)) ?? 'no log';
    await damage(join(directory, name), (bytes) => bytes.indexOf('temp') + 1);
    expect((await checkLog(directory)).findings).toMatchObject([{ file: name, loses: true }]);
    await checkLog(directory, { repair: true });
    expect((await checkLog(directory)).findings).toEqual([]);
    const mended = await openLog({ directory });
    expect(await mended.count('a')).toBe(ROWS + 2);
    await mended.close();
  });

  test('refuses a store of a newer format and leaves it alone', async () => {
    const path = join(directory, 'a', 'manifest');
    await writeFile(
      path,
      (await readFile(path, 'utf8')).replaceAll('fieldbench-device 3', 'fieldbench-device 9'),
    );
    const before = await readFile(path);
    await expect(checkLog(directory, { repair: true })).rejects.toMatchObject({ code: 'newer-format' });
    const store = await openLog({ directory });
    await expect(store.page('a', { offset: 0, limit: 1 })).rejects.toMatchObject({ code: 'newer-format' });
    await store.close();
    expect(await readFile(path)).toEqual(before);
  });
});
