import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFiles } from '#core/disk/files.ts';
import { MemoryRun } from '#core/store/blocks/query/run.ts';
import { RowsGone } from '#core/store/blocks/query/rows-gone.ts';
import { blocksOf } from '#core/store/blocks/block/rows-to-blocks.ts';
import { openLog } from '#core/store/log/log.ts';
import { createPool } from '#core/store/log/segment/segment-pool.ts';
import { segmentPath } from '#core/store/log/segment/manifest.ts';
import { Segment } from '#core/store/log/segment/segment.ts';
import { wholeParts, writeSorted } from '#core/store/log/segment/sorted-writer.ts';
import type { RecordStore } from '#core/store/store.ts';
import { counting, pageOfN } from '../../../suites/record-store/harness.ts';

/* What is on the disk breaks while the store is open, and others read the same file. */

const ROWS = 20_000;
let directory: string;
let store: RecordStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  const limits = { keptWalBytes: 0, blockBytes: 1, threadRows: Infinity };
  store = await openLog({ directory, limits });
  await store.append('d', counting(0, ROWS));
  await store.close();
  store = await openLog({ directory, limits });
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

async function segmentFile(): Promise<string> {
  const name = (await readdir(join(directory, 'd'))).find((one) => one.endsWith('.seg'));
  return join(directory, 'd', name ?? '');
}

async function overwrite(at: (size: number) => number): Promise<void> {
  const file = await open(await segmentFile(), 'r+');
  try {
    const { size } = await file.stat();
    await file.write(Buffer.alloc(64, 0xaa), 0, 64, at(size));
  } finally {
    await file.close();
  }
}

/** `n` of every record, read at once. */
async function everyN(): Promise<Set<number>> {
  const { columns } = await store.columns('d', { offset: 0, limit: ROWS, keys: ['n'] });
  return new Set(columns[0]);
}

const middle = (size: number) => Math.floor(size / 2);
const inIndex = (size: number) => size - 100;

test('a scan ends with an error once another reader has left a block out, instead of skipping whole ones', async () => {
  const scan = store.scan('d')[Symbol.asyncIterator]();
  const { value } = await scan.next();
  expect(value).not.toHaveLength(0);
  await overwrite(middle);
  await everyN();
  expect(await store.count('d')).toBeLessThan(ROWS);
  await expect(scan.next()).rejects.toMatchObject({ code: 'damaged' });
});

test('a page in pieces does, too', async () => {
  const { json } = await store.page('d', { offset: 0, limit: ROWS });
  if (json instanceof Uint8Array) throw new Error('The page is too small for this test.');
  const pieces = json[Symbol.asyncIterator]();
  await pieces.next();
  await overwrite(middle);
  await everyN();
  await expect(pieces.next()).rejects.toMatchObject({ code: 'damaged' });
});

test('of a file whose block and index are broken at once every whole block is read', async () => {
  await pageOfN(store, 'd', { limit: 10 });
  await overwrite(middle);
  await overwrite(inIndex);
  const left = await everyN();
  expect(left.size).toBeGreaterThan(ROWS / 2);
  expect(left.size).toBe(await store.count('d'));
  await store.close();
  store = await openLog({ directory });
  expect(await everyN()).toEqual(left);
  expect(await store.count('d')).toBe(left.size);
});

test('blocks that were in memory before the index broke are not taken for others', async () => {
  await store.append('other', counting(0, 1000));
  await store.close();
  store = await openLog({ directory, limits: { keptWalBytes: 0, handles: 1 } });
  expect((await everyN()).size).toBe(ROWS);
  await overwrite(middle);
  await overwrite(inIndex);
  // Takes the place of the open file.
  await pageOfN(store, 'other', { limit: 10 });
  const left = await everyN();
  expect(left.size).toBeLessThan(ROWS);
  expect(left.size).toBe(await store.count('d'));
  expect(left).toContain(ROWS - 1);
});

test('a merge in slices is given up once another reader has left a block out of what it reads', async () => {
  const folder = join(directory, 'd');
  let meanwhile = () => {};
  const files = {
    ...nodeFiles,
    openForReading(path: string) {
      const file = nodeFiles.openForReading(path);
      const read = file.read.bind(file);
      file.read = async (into, position) => {
        const length = await read(into, position);
        meanwhile();
        return length;
      };
      return file;
    },
  };
  let id = 100;
  const origin = () => ({ id: id++, age: id, flushed: 0, replaces: [], seen: null });
  const output = { files, folder, segmentRows: 1 << 20, origin };
  const run = new MemoryRun();
  for (const block of blocksOf(counting(0, ROWS), -Infinity)) run.add(block);
  const [meta] = await writeSorted(wholeParts([run]), output);
  const pool = createPool(files, { handles: 2, blockBytes: 1, summaryBytes: 1 });
  const segment = new Segment(pool, segmentPath(folder, 100), meta!);
  meanwhile = () => {
    meanwhile = () => {};
    segment.setAside(0);
  };
  const before = await readdir(folder);
  await expect(writeSorted(wholeParts([segment]), output)).rejects.toThrow(RowsGone);
  expect(await readdir(folder)).toEqual(before);
  segment.close();
});
