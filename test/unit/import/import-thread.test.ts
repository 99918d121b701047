import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ThreadError } from '#core/base/errors.ts';
import { importRecords } from '#core/import/import.ts';
import { importWork } from '#core/import/import-work.ts';
import { packRecords } from '#core/store/blocks/block/packer.ts';
import { withKnown } from '#core/store/log/device/with-known.ts';
import { openLog } from '#core/store/log/log.ts';
import type { PackedRecords, RecordStore } from '#core/store/store.ts';
import { createThreads, type Threads } from '#core/threads/threads.ts';
import { clockOf } from '../../helpers/clock.ts';
import { unpack } from '../../helpers/files/imports.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { scanned } from '../../suites/record-store/harness.ts';

/** More than are packed at once. */
const ROWS = 50_000;
/** A row behind the first ones that were packed. */
const LATE = 40_000;

const row = (n: number | string, time: number) =>
  `${new Date(1_700_000_000_000 + time * 1000).toISOString()},${n}\n`;

/** A file of so many rows, in pieces; `line` may stand in for one of them. */
async function* file(rows = ROWS, line: Record<number, string> = {}, timeOf = (n: number) => n) {
  yield Buffer.from('time,n\n');
  for (let at = 0; at < rows; at += 1000) {
    const count = Math.min(1000, rows - at);
    yield Buffer.from(
      Array.from({ length: count }, (_, i) => line[at + i] ?? row(at + i, timeOf(at + i))).join(''),
    );
  }
}

const noThreads = createThreads({ script: WORKER_SCRIPT });
afterAll(() => noThreads.close());

let directory: string;
let store: RecordStore;
let threads: Threads | null;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-import-'));
  // Threads that a test has take the place of these, which nothing is asked of.
  store = await openLog({ directory, threads: noThreads });
  threads = null;
});
afterEach(async () => {
  await threads?.close();
  await store.close();
  await rm(directory, { recursive: true });
});

function importInto(
  device: string,
  bytes: AsyncIterable<Uint8Array>,
  { signal = new AbortController().signal, progress = (_bytesRead: number) => {} } = {},
) {
  return importRecords({
    body: { bytes, size: null, type: 'text/csv' },
    settings: {},
    records: {
      batch: (id) => store.batch(id),
      count: (...of) => store.count(...of),
      scan: (...of) => store.scan(...of),
      threadWork: store.threadWork && threads && { ...store.threadWork, threads },
    },
    device,
    clock: clockOf(() => 1),
    progress,
    signal,
  });
}

/** Files of records of a device. */
const segments = async (device: string) =>
  (await readdir(join(directory, device)).catch(() => [])).filter((name) => name.endsWith('.seg'));

describe('an import in a worker thread', () => {
  test.each([
    ['in order', (n: number) => n],
    ['newest first', (n: number) => -n],
    ['in no order, with equal times', (n: number) => (n * 7919) % 5003],
  ])('stores what one in this thread stores: times %s', async (_, timeOf) => {
    const here = await importInto('here', file(ROWS, {}, timeOf));
    threads = createThreads({ script: WORKER_SCRIPT });
    expect(await importInto('there', file(ROWS, {}, timeOf))).toEqual(here);
    expect(here.stored).toBe(ROWS);
    const records = await scanned(store, 'there');
    expect(records).toEqual(await scanned(store, 'here'));
    const expected = Array.from({ length: ROWS }, (_each, n) => n).toSorted((a, b) => timeOf(a) - timeOf(b));
    expect(records.map(({ values }) => values[0])).toEqual(expected);
    expect(records.every(({ received }) => received === 1)).toBe(true);
  });

  test('sends what it packs some blocks at a time, and larger ones by themselves', async () => {
    const long = (n: number) => String(n).padStart(3000, 'x');
    const texts = Array.from({ length: 300 }, (_, n) => LATE + n);
    const sent: PackedRecords[] = [];
    const work = importWork(packRecords, withKnown);
    const task = {
      input: file(ROWS, Object.fromEntries(texts.map((n) => [n, row(long(n), n)]))),
      post: () => expect.unreachable(),
      send: async (message: unknown) => void sent.push(message as PackedRecords),
      signal: new AbortController().signal,
    };
    const start = { type: 'text/csv', settings: {}, received: 1, now: Date.UTC(2026, 0) * 1000 };
    expect(await work(start, task)).toMatchObject({ stored: ROWS });
    const values = sent.flatMap((packed) => unpack(packed)).map((one) => one.values[0]);
    const isText = new Set(texts);
    expect(values).toEqual(Array.from({ length: ROWS }, (_, n) => (isText.has(n) ? long(n) : n)));
    const small = sent.filter(({ length }) => length <= 64 * 1024);
    expect(small.length).toBeLessThan(8);
    expect(sent.length).toBeGreaterThan(small.length);
  });

  test.each(['exit here', 'throw here'])(
    'whose thread ends stores nothing, and says so: %s',
    async (text) => {
      threads = createThreads({ script: join(import.meta.dirname, 'fixture/dying-worker.ts') });
      const failed = importInto('d', file(ROWS, { [LATE]: row(text, LATE) }));
      await expect(failed).rejects.toBeInstanceOf(ThreadError);
      await expect(failed).rejects.toThrow(/ended before it was done\. Nothing of it was kept; try again\.$/);
      expect(await store.count('d')).toBe(0);
      expect(await segments('d')).toEqual([]);

      expect(await importInto('d', file(10))).toMatchObject({ stored: 10 });
      expect(await store.count('d')).toBe(10);
    },
  );

  test('that is cancelled in the middle stores nothing and frees the thread', async () => {
    threads = createThreads({ script: WORKER_SCRIPT });
    const controller = new AbortController();
    const reason = new Error('the window closed');
    let told = false;
    async function* sender() {
      try {
        yield* file(20 * ROWS);
      } finally {
        told = true;
      }
    }
    const cancelled = importInto('d', sender(), {
      signal: controller.signal,
      progress: (bytesRead) => bytesRead > 2_000_000 && controller.abort(reason),
    });
    await expect(cancelled).rejects.toBe(reason);
    expect(told).toBe(true);
    expect(await store.count('d')).toBe(0);
    expect(await segments('d')).toEqual([]);
    expect(await importInto('d', file(10))).toMatchObject({ stored: 10 });
  });

  test('that is refused far behind its beginning stores nothing', async () => {
    threads = createThreads({ script: WORKER_SCRIPT });
    const refused = importInto('d', file(ROWS, { [LATE]: 'yesterday,1\n' }));
    await expect(refused).rejects.toMatchObject({
      name: 'Refusal',
      status: 400,
      message: expect.stringMatching(/^line 40002: time must be a time like .* Nothing was imported\.$/),
    });
    expect(await segments('d')).toEqual([]);
  });

  test('takes little of the processor time of the thread that asks for it', async () => {
    threads = createThreads({ script: WORKER_SCRIPT });
    await importInto('warm', file(LATE));
    const before = { own: process.threadCpuUsage(), all: process.cpuUsage() };
    await importInto('d', file());
    const sum = ({ user, system }: NodeJS.CpuUsage) => user + system;
    // Reading and packing take nearly all of it; here they would make it 1.
    expect(sum(process.threadCpuUsage(before.own)) / sum(process.cpuUsage(before.all))).toBeLessThan(0.4);
  });
});
