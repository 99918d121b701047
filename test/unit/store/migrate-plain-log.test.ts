import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import { openRecords, openRecordsOn } from '#core/store/open-records.ts';
import type { RecordStore } from '#core/store/store.ts';
import { DEVICES, PLAIN_LOG, plainLogFiles } from '../../fixtures/make-plain-log.ts';
import { checkContents } from '../../faults/check-store.ts';
import { crashStates } from '../../faults/crash-states.ts';
import { diskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';
import { freshSeed } from '../../helpers/chance.ts';

/* The fixture is a data folder of the first versions (test/fixtures/make-plain-log.ts says what is odd about it). */

const contents = new Map(
  Object.entries(DEVICES).map(([id, content]) => [id, [{ ...content, receipts: [], kept: [] }]]),
);
const total = Object.values(DEVICES).reduce((sum, { records }) => sum + records.length, 0);

describe('data of the first versions', () => {
  let base: string;
  let directory: string;
  let store: RecordStore | null = null;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'fieldbench-migration-'));
    directory = join(base, 'data');
    await cp(PLAIN_LOG, directory, { recursive: true });
  });
  afterEach(async () => {
    await store?.close();
    await rm(base, { recursive: true });
  });

  async function open(): Promise<RecordStore> {
    await store?.close();
    return (store = await openRecords({ directory }));
  }

  test('is moved with every record, in order of arrival, and with when devices were seen and purged', async () => {
    const opened = await open();
    await checkContents(opened, contents);
    expect(opened.recovery.at(-1)).toEqual({
      device: null,
      kind: 'migrated',
      message: `${total} records of 7 devices were moved to the format of this version.`,
    });
    expect(opened.recovery).toContainEqual(expect.objectContaining({ device: 'killed', kind: 'torn-tail' }));
    expect(await readdir(base)).toEqual(['data']);
  });

  test('is moved once', async () => {
    await open();
    const again = await open();
    expect(again.recovery).toEqual([]);
    await checkContents(again, contents);
  });

  test('is kept aside where some of it is damaged, and the rest is moved', async () => {
    const path = join(directory, 'boiler', '1-1.log');
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(5000) ^ 4, 5000);
    await writeFile(path, bytes);
    const opened = await open();
    expect(await opened.count('boiler')).toBe((DEVICES['boiler']?.records.length ?? 0) - 1);
    expect(opened.recovery).toContainEqual(expect.objectContaining({ device: 'boiler', kind: 'damaged' }));
    expect(opened.recovery.at(-1)?.message).toContain(`${directory}.damaged-1`);
    expect(await readFile(join(`${directory}.damaged-1`, 'boiler', '1-1.log'))).toEqual(bytes);
    expect((await open()).recovery).toEqual([]);
  });

  test('of a version that is newer than what can be read is refused and left as it is', async () => {
    const path = join(directory, 'odd', '1-1.log');
    const bytes = await readFile(path);
    bytes.writeUInt32LE(2, 8);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 12)), 12);
    await writeFile(path, bytes);
    await expect(openRecords({ directory })).rejects.toMatchObject({
      name: 'StoreError',
      code: 'newer-format',
    });
    expect(await readdir(directory)).toEqual(await readdir(PLAIN_LOG));
    await rm(join(directory, 'odd'), { recursive: true });
    expect(await (await open()).count('boiler')).toBe(DEVICES['boiler']?.records.length);
  });

  test('is not looked for where the append log has been at work', async () => {
    const fresh = join(base, 'fresh');
    store = await openLog({ directory: fresh });
    await store.close();
    await cp(join(PLAIN_LOG, 'odd'), join(fresh, 'odd'), { recursive: true });
    store = await openRecords({ directory: fresh });
    expect(store.recovery.filter(({ kind }) => kind === 'migrated')).toEqual([]);
  });

  test('as the script beside the fixture writes it, is the fixture', async () => {
    for (const [path, bytes] of plainLogFiles())
      expect(await readFile(join(PLAIN_LOG, path)), path).toEqual(bytes);
  });
});

describe('a power cut while data is moved', () => {
  /** A disk that holds the fixture for good. */
  async function plainDisk(): Promise<Disk> {
    const disk = new Disk();
    const files = diskFiles(disk);
    for (const [path, bytes] of plainLogFiles()) {
      await files.makeDirectory(`/service/data/${path.slice(0, path.indexOf('/'))}`);
      files.openForWriting(`/service/data/${path}`, true).writeNow(bytes, 0);
    }
    return disk;
  }

  test('at any moment loses nothing and doubles nothing', { timeout: 120_000 }, async () => {
    const base = await plainDisk();
    const files = diskFiles(base.copy());
    const directory = '/service/data';
    await (await openRecordsOn(files, { directory })).close();
    const stride = 4;
    const seed = freshSeed();
    let states = 0;
    for (let length = seed % stride; length <= files.trace.length; length += stride)
      for (const { name, disk } of crashStates(files.trace, length, base)) {
        const store = await openRecordsOn(diskFiles(disk), { directory });
        await checkContents(store, contents).catch((cause: unknown) => {
          throw new Error(`${name}, seed ${seed}`, { cause });
        });
        await store.close();
        const left = [...disk.folder(disk.folder(0).get('service') ?? -1).keys()];
        expect(left, name).toEqual(['data']);
        states++;
      }
    expect(states).toBeGreaterThan(100);
  });
});
