import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import { mountingRefused, mountSmallDisk, smallMemory } from '../faults/small-disk.ts';
import { record, scanned } from '../suites/record-store/harness.ts';
import { fullDiskSuite, type OpenHere } from './full-disk-suite.ts';
import { killSuite } from './kill-suite.ts';

killSuite('append log, killed while it stores', {
  module: fileURLToPath(new URL('open-small-log.ts', import.meta.url)),
  name: 'openSmallLog',
});

const refused = await mountingRefused();
// A write-ahead log in proportion to the disk: else all records would be in it, and a purge would free nothing at once.
const open: OpenHere = (options) => openLog({ ...options, limits: { walBytes: 1 << 18 } });

fullDiskSuite('append log', open, refused === null ? mountSmallDisk : null);
fullDiskSuite('append log in memory', open, smallMemory);

test.skipIf(refused !== null)(
  'a log says that its folder is read-only, and finds everything once it is not',
  async () => {
    const disk = await mountSmallDisk();
    const place = { directory: join(disk.directory, 'data'), files: disk.files };
    let store = await open(place);
    try {
      await store.append('d', [record(0)]);
      await store.close();
      await disk.makeReadOnly();
      await expect(open(place)).rejects.toMatchObject({ name: 'StoreError', code: 'read-only' });
      await disk.makeWritable();
      store = await open(place);
      await store.append('d', [record(1)]);
      expect((await scanned(store, 'd')).map(({ timestamp }) => timestamp)).toEqual([0, 1]);
    } finally {
      await store.close();
      await disk.remove();
    }
  },
);
