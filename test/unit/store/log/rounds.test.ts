import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import { openFileWith } from '#core/disk/open-file-with.ts';
import type { Limits } from '#core/store/log/device/common.ts';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import { DEVICES, send } from '../../../helpers/store/many-devices.ts';
import { record } from '../../../suites/record-store/harness.ts';

/* When thousands of devices are carried on: in rounds, between which nothing is. */

let directory: string;
let open: RecordStore | null = null;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-rounds-'));
});
afterEach(async () => {
  await close();
  await rm(directory, { recursive: true });
});

async function openStore(limits: Partial<Limits>, files: Files = nodeFiles): Promise<RecordStore> {
  return (open = await openLog({ directory, limits, files }));
}

/** Leaves an empty folder. */
async function close(): Promise<void> {
  await open?.close();
  open = null;
  for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true });
}

/** Bytes that went to the log while each device sent 300 records that pack badly. */
async function bytesLogged(limits: Partial<Limits>): Promise<number> {
  let written = 0;
  const files: Files = {
    ...nodeFiles,
    openForWriting(path, create, mode) {
      const file = nodeFiles.openForWriting(path, create, mode);
      if (!path.includes('wal-')) return file;
      // What only makes the file larger is zeros.
      const count = (bytes: Uint8Array) => (written += bytes.some((byte) => byte !== 0) ? bytes.length : 0);
      return openFileWith(file, {
        writeNow(bytes, position) {
          count(bytes);
          file.writeNow(bytes, position);
        },
        write(bytes, position) {
          count(bytes);
          return file.write(bytes, position);
        },
      });
    },
  };
  const store = await openStore(limits, files);
  for (let n = 0; n < 300; n++) {
    const stored = DEVICES.map((id, i) =>
      store.append(id, [record(n, { a: Math.sin(n * 1000 + i), b: Math.cos(n * 1000 + i) })]),
    );
    await Promise.all(stored);
  }
  const sent = written;
  await close();
  return sent;
}

test('carrying devices on does not fill the log with what makes it carry them on again', async () => {
  const plain = await bytesLogged({ walBytes: 1 << 26 });
  const carried = await bytesLogged({ walBytes: 1 << 17, roundFiles: 12, fewRows: 1000 });
  expect(carried / plain).toBeLessThan(3);
});

/** Files that the log began for each thousand records while 60 devices sent for a while, after what `meanwhile` does. */
async function filesAThousand(meanwhile: (store: RecordStore) => Promise<void>): Promise<number> {
  let made = 0;
  const files: Files = {
    ...nodeFiles,
    openForWriting(path, create, mode) {
      if (/wal-\d/.test(path)) made++;
      return nodeFiles.openForWriting(path, create, mode);
    },
  };
  const limits = { walBytes: 1 << 16, manyDevices: 8, fewRows: 100_000, eraseAfterMs: 0 };
  const store = await openStore(limits, files);
  const senders = DEVICES.slice(0, 60);
  const sendAll = async (rounds: number) => {
    for (let n = 0; n < rounds; n++)
      await Promise.all(senders.map((id, i) => store.append(id, [record(n, { a: Math.sin(n * 60 + i) })])));
  };
  await sendAll(100);
  const before = made;
  await meanwhile(store);
  await sendAll(300);
  const a = ((made - before) * 1000) / (300 * senders.length);
  await close();
  return a;
}

test('nor does erasing what was deleted while devices send', async () => {
  const calm = await filesAThousand(async () => {});
  const erased = await filesAThousand(async (store) => {
    await store.append('gone', [record(1)]);
    await store.purge('gone', 5);
  });
  expect(erased / calm).toBeLessThan(2.5);
});

test('more files may be asked to wait than may', async () => {
  const store = await openStore({ walBytes: 1 << 16, manyDevices: 8, roundFiles: 40 });
  await send(store, 120);
  expect(await store.count(DEVICES[0]!)).toBe(120);
});
