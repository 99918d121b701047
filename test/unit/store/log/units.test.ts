import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import { openFileWith } from '#core/disk/open-file-with.ts';
import type { ByteWriter } from '#core/store/blocks/codec/bytes.ts';
import { openLog } from '#core/store/log/log.ts';
import { CARRIED, ROWS } from '#core/store/log/wal/wal-entry.ts';
import { UnitBytes } from '#core/store/log/wal/unit.ts';
import { parseWalName, readWal, WAL_HEADER_BYTES } from '#core/store/log/wal/wal-format.ts';
import type { StoredRecord } from '#core/store/store.ts';
import { counting, pageOfN, record, scanned } from '../../../suites/record-store/harness.ts';

/* What one write to the write-ahead log makes durable: entries of many devices, none of which spoils another. */

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-units-'));
});
afterEach(() => rm(directory, { recursive: true }));

const open = (files?: Files) => openLog({ directory, ...(files && { files }) });

/** A record that cannot be written: asking it for its value throws, as an allocation does when memory runs out. */
function unwritable(): StoredRecord {
  const values = new Proxy([1], {
    get(target, name, receiver) {
      if (name === '0') throw new RangeError('Array buffer allocation failed');
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  return { timestamp: 1, received: 1, keys: ['a'], values };
}

describe('an entry that cannot be written', () => {
  test('is refused alone: its neighbours are stored and found again', async () => {
    const store = await open();
    const ends = await Promise.allSettled([
      store.append('before', [record(1)]),
      store.append('broken', [unwritable()]),
      store.append('after', [record(2)]),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(ends[1]).toMatchObject({ reason: { message: 'Array buffer allocation failed' } });
    await expect(store.append('broken', [unwritable()])).rejects.toThrow('allocation');
    await store.append('broken', [record(3)]);
    await store.close();
    const again = await open();
    expect(again.recovery).toEqual([]);
    expect((await again.devices()).toSorted()).toEqual(['after', 'before', 'broken']);
    expect(await pageOfN(again, 'broken')).toEqual([3]);
    await again.close();
  });
});

/** The one log file, its bytes and where its last unit ends. */
async function readLog() {
  const name = readdirSync(directory).find((each) => parseWalName(each) !== null) ?? '';
  const { salt = 0 } = parseWalName(name) ?? {};
  const bytes = await readFile(join(directory, name));
  return { path: join(directory, name), bytes, salt, report: readWal(bytes, salt) };
}

/** Adds a unit of one entry with these bytes to the log. */
async function addUnit(write: (unit: ByteWriter) => void): Promise<void> {
  const { path, bytes, salt, report } = await readLog();
  const unit = new UnitBytes();
  write(unit);
  await unit.finish(salt, report.entries.lastSequence + 1, 1);
  unit.written().copy(bytes, report.end);
  await writeFile(path, bytes);
}

describe('a whole unit that makes no sense', () => {
  const entryOf = (kind: number) => (unit: ByteWriter) => {
    unit.u8(kind);
    unit.text('d');
    unit.u32(3);
    unit.raw(Buffer.from([200, 1, 7]));
  };

  test.each<[what: string, write: (unit: ByteWriter) => void, says: RegExp]>([
    ['as a unit', (unit) => unit.u32(0xffffffff), /bytes of "wal-.*" are damaged/],
    ['as an entry', entryOf(ROWS), /An entry of 3 bytes .* of device d is lost/],
    ['as what was carried on', entryOf(CARRIED), /An entry of 3 bytes .* of device d is lost/],
  ])('%s is noted, and what is before and behind it counts', async (_, write, says) => {
    const store = await open();
    await store.append('d', [record(1)]);
    await store.close();
    await addUnit(write);
    const found = await open();
    expect(found.recovery).toMatchObject([{ kind: 'damaged', message: expect.stringMatching(says) }]);
    await found.append('d', [record(2)]);
    await found.close();
    const again = await open();
    expect(await scanned(again, 'd')).toEqual([record(1), record(2)]);
    await again.close();
  });
});

test('units that a disk has put into the file once more are damage, and their records are there once', async () => {
  const store = await open();
  for (const n of [1, 2, 3]) await store.append('device', [record(n)]);
  await store.close();
  const { path, bytes, report } = await readLog();
  bytes.copy(bytes, report.end, WAL_HEADER_BYTES, report.end);
  await writeFile(path, bytes);
  const again = await open();
  expect(again.recovery).toMatchObject([
    { kind: 'damaged', message: expect.stringMatching(/bytes of "wal-.*" are damaged/) as string },
  ]);
  expect(await pageOfN(again, 'device')).toEqual([3, 2, 1]);
  await again.append('device', [record(4)]);
  await again.close();
  const last = await open();
  expect(await pageOfN(last, 'device')).toEqual([4, 3, 2, 1]);
  await last.close();
});

test('what arrives at once is written in units of bounded size', async () => {
  const written: number[] = [];
  const counted: Files = {
    ...nodeFiles,
    openForWriting(path, create, mode) {
      const file = nodeFiles.openForWriting(path, create, mode);
      return openFileWith(file, {
        writeNow(bytes, at) {
          written.push(bytes.length);
          file.writeNow(bytes, at);
        },
      });
    },
  };
  const store = await open(counted);
  const text = 'x'.repeat(1 << 20);
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => store.append('d', [{ ...record(n), keys: ['t'], values: [text] }])),
  );
  expect(Math.max(...written)).toBeLessThan(11 << 20);
  expect(await store.count('d')).toBe(40);
  await store.append('e', counting(0, 5));
  await store.close();
});
