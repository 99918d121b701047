import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFiles } from '#core/disk/files.ts';
import { checkLog } from '#core/store/log/check/check.ts';
import type { Limits } from '#core/store/log/device/common.ts';
import { openLog } from '#core/store/log/log.ts';
import { CARRIED } from '#core/store/log/wal/wal-entry.ts';
import { parseWalName, readWal } from '#core/store/log/wal/wal-format.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { failingFiles } from '../../../faults/failing-files.ts';
import { record, scanned } from '../../../suites/record-store/harness.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

/* What a stop leaves in the write-ahead log, and how a start takes it up. */

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-start-'));
});
afterEach(() => rm(directory, { recursive: true }));

const DEVICES = Array.from({ length: 100 }, (_, n) => `device-${n}`);
const ROUNDS = 40;

/** Sends a record of each device, again and again. */
async function send(store: RecordStore): Promise<void> {
  for (let round = 0; round < ROUNDS; round++)
    await Promise.all(DEVICES.map((id) => store.append(id, [record(round)], { receipt: `r${round}` })));
}

async function entriesOfLog() {
  const names = (await readdir(directory)).filter((name) => parseWalName(name) !== null);
  const entries = await Promise.all(
    names.map(async (name) => {
      const { salt = 0 } = parseWalName(name) ?? {};
      return [...readWal(await readFile(join(directory, name)), salt).entries];
    }),
  );
  return entries.flat();
}

async function expectAll(): Promise<void> {
  const store = await openLog({ directory });
  expect(store.recovery).toEqual([]);
  const counts = await Promise.all(DEVICES.map((id) => store.count(id)));
  expect(new Set(counts)).toEqual(new Set([ROUNDS]));
  expect(await store.append('device-1', [record(1)], { receipt: 'r0' })).toBe('duplicate');
  await store.close();
  expect((await checkLog(directory)).findings).toEqual([]);
}

test('a stop leaves one packed entry of each of many devices in the log', async () => {
  const store = await openLog({
    directory,
    limits: { walBytes: 1 << 16, manyDevices: 4, flushedOnClose: 4 },
  });
  await send(store);
  await store.close();
  const entries = await entriesOfLog();
  expect(entries.map(({ kind }) => kind)).toEqual(DEVICES.map(() => CARRIED));
  expect(entries.map(({ device }) => device).toSorted()).toEqual(DEVICES.toSorted());
  await expectAll();
});

test('a stop that has no time leaves the log as it is, and nothing is lost', async () => {
  const limits: Partial<Limits> = { flushedOnClose: 4, closingMs: 0 };
  const store = await openLog({ directory, limits });
  await send(store);
  await store.close();
  expect((await entriesOfLog()).length).toBe(DEVICES.length * ROUNDS);
  await expectAll();
});

test('a start asks nothing of the disk for devices that have no folder', async () => {
  const limits: Partial<Limits> = { flushedOnClose: 4, closingMs: 0 };
  const store = await openLog({ directory, limits });
  await send(store);
  await store.close();
  const asked: string[] = [];
  const files = failingFiles(nodeFiles, (what, path) => {
    asked.push(`${what} ${path}`);
    return null;
  });
  const again = await openLog({ directory, files, limits });
  expect(asked.filter((each) => each.includes('device-'))).toEqual([]);
  expect(await again.count('device-5')).toBe(ROUNDS);
  await again.close();
});

test('what is read from the log again is as it was, whatever came in whichever order', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 40 });
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ times, receipt: fc.option(fc.integer({ min: 0, max: 9 })) }) },
    { weight: 1, arbitrary: fc.constant('purge' as const) },
    { weight: 1, arbitrary: fc.constant('drop' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
      await rm(directory, { recursive: true });
      const store = await openLog({ directory, limits: { eraseAfterMs: Infinity } });
      for (const [number, each] of steps.entries()) {
        if (each === 'purge') await store.purge('a', number);
        else if (each === 'drop') await store.drop('a');
        else await storeOneByOne(store, each.times, number, each.receipt);
      }
      const copy = await mkdtemp(join(tmpdir(), 'fieldbench-start-'));
      // The log alone: a folder changes while it is copied.
      await cp(directory, copy, {
        recursive: true,
        filter: (path) => !path.startsWith(join(directory, 'a')),
      });
      const again = await openLog({ directory: copy, limits: { eraseAfterMs: Infinity } });
      expect(await scanned(again, 'a')).toEqual(await scanned(store, 'a'));
      expect(await again.lastSeen(['a'])).toEqual(await store.lastSeen(['a']));
      const { bytes: _, ...summary } = await store.summary('a');
      expect(await again.summary('a')).toMatchObject(summary);
      for (let n = 0; n < 10; n++)
        expect(await again.append('a', [record(99)], { receipt: `r${n}` })).toBe(
          await store.append('a', [record(99)], { receipt: `r${n}` }),
        );
      await again.close();
      await store.close();
      await rm(copy, { recursive: true });
    }),
    { numRuns: someRuns(96) },
  );
});

/** Each in an entry of its own; what they say tells them apart where times are equal. */
async function storeOneByOne(
  store: RecordStore,
  times: readonly number[],
  number: number,
  receipt: number | null,
): Promise<void> {
  for (const [n, at] of times.entries()) {
    const keys = n % 3 === 0 ? ['n', 'text'] : ['n'];
    const values = keys.map((key) => (key === 'n' ? number * 100 + n : `${number} ${n}`));
    // The clock of whoever receives is not always right.
    const sent: StoredRecord = { timestamp: at, received: 1000 + ((number * 7 + n * 13) % 50), keys, values };
    await store.append('a', [sent], n === 0 && receipt !== null ? { receipt: `r${receipt}` } : {});
  }
}
