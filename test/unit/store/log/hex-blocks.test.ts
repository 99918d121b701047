import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkLog } from '#core/store/log/check/check.ts';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import { record, scanned } from '../../../suites/record-store/harness.ts';

/*
 * test/fixtures/log-5/ is a folder of the version whose blocks had no columns of hexadecimal texts, killed: `rig` has 615 records with
 * a payload of 12 bytes each, 100 in a segment, 512 as a block in the log and three one by one.
 */

const VERSION_5 = join(import.meta.dirname, '../../../fixtures/log-5');
let directory: string;
let store: RecordStore | null = null;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-hex-'));
});
afterEach(async () => {
  await close();
  await rm(directory, { recursive: true });
});

async function close(): Promise<void> {
  await store?.close();
  store = null;
}

/** Everything moves to segments when it closes. */
async function open(): Promise<RecordStore> {
  await close();
  return (store = await openLog({ directory, limits: { keptWalBytes: 0 } }));
}

const payload = (n: number) => createHash('sha256').update(`${n}`).digest('hex').slice(0, 24);
const uplinks = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) =>
    record((from + i) * 1000, { n: from + i, 'uplink.bytes': payload(from + i) }),
  );
const segments = async () => (await readdir(join(directory, 'rig'))).filter((name) => name.endsWith('.seg'));

test('a folder from before opens with all it holds, and packs from then on', async () => {
  await cp(VERSION_5, directory, { recursive: true });
  expect((await checkLog(directory)).findings).toEqual([]);
  let opened = await open();
  expect(opened.recovery.map(({ kind }) => kind)).toEqual(['upgraded']);
  expect(await scanned(opened, 'rig')).toEqual(uplinks(0, 615));
  await opened.append('rig', uplinks(615, 2000));
  opened = await open();
  expect(await scanned(opened, 'rig')).toEqual(uplinks(0, 2000));
  expect(opened.recovery).toEqual([]);
  await close();
  expect((await checkLog(directory)).findings).toEqual([]);
});

test('that version refuses the folder from then on: its log and its segments are of later ones', async () => {
  await cp(VERSION_5, directory, { recursive: true });
  const opened = await open();
  const logs = (await readdir(directory)).filter((name) => name.startsWith('wal-'));
  for (const name of logs) expect((await readFile(join(directory, name))).readUInt32LE(4)).toBe(6);
  await opened.append('rig', uplinks(615, 2000));
  await close();
  const versions = await Promise.all(
    (await segments()).map(async (name) => (await readFile(join(directory, 'rig', name))).readUInt32LE(4)),
  );
  expect(Math.max(...versions)).toBe(3);
});

test('a folder whose log is of a version too new is refused, byte for byte as it was', async () => {
  await (await open()).append('rig', uplinks(0, 600));
  await close();
  const [log] = (await readdir(directory)).filter((name) => /^wal-\d/.test(name));
  const path = join(directory, log ?? '');
  const bytes = await readFile(path);
  bytes.writeUInt32LE(7, 4);
  await writeFile(path, bytes);
  await expect(openLog({ directory })).rejects.toMatchObject({
    code: 'newer-format',
    message: expect.stringMatching(/7.*6/),
  });
  await expect(checkLog(directory)).rejects.toMatchObject({ code: 'newer-format' });
  expect(await readFile(path)).toEqual(bytes);
});

test('payloads take half of their digits on disk', async () => {
  await (await open()).append('rig', uplinks(0, 4096));
  await close();
  const sizes = await Promise.all(
    (await segments()).map(async (name) => (await readFile(join(directory, 'rig', name))).length),
  );
  // Times, receipts and `n`, which count up, take next to nothing.
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(4096 * 12 * 1.15);
});
