import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exportDevice, type DeviceExport } from '#core/export/export-device.ts';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { createThreads, type Threads } from '#core/threads/threads.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { counting, record } from '../../suites/record-store/harness.ts';

const threads = createThreads({ script: WORKER_SCRIPT });
afterAll(() => threads.close());

// Records move to segments all the time, while the newest stay in memory; a view of any number is for a thread.
const limits = { walBytes: 16_384, segmentRows: 4096, handles: 2, blockBytes: 1, lateRuns: 2, threadRows: 1 };

let directory: string;
let store: RecordStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-export-'));
  store = await openLog({ directory, limits, threads });
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

/** Threads that count what is asked of them. */
function counted(inner: Threads) {
  let streams = 0;
  const stream: Threads['stream'] = (...given) => {
    streams++;
    return inner.stream(...given);
  };
  return { threads: { ...inner, stream }, streams: () => streams };
}

/** The records with other threads, or none. */
const readBy = (others: Threads | null): DeviceExport['records'] => ({
  scan: (...of) => store.scan(...of),
  threadWork: store.threadWork && others && { ...store.threadWork, threads: others },
});

const given = (more: Partial<DeviceExport> = {}): DeviceExport => ({
  records: store,
  device: 'd',
  range: {},
  keys: ['n', 'state'],
  format: 'ndjson',
  ...more,
});

async function rest<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

const textOf = async (options: DeviceExport) =>
  Buffer.concat((await rest(exportDevice(options))).map(({ bytes }) => bytes)).toString();

const lines = (from: number, to: number) =>
  counting(from, to - from).map(
    ({ timestamp, values: [n] }) =>
      `{"timestamp":"${new Date(timestamp / 1000).toISOString().replace('Z', '000Z')}","n":${n}}\n`,
  );

const segments = async () => (await readdir(join(directory, 'd'))).filter((name) => name.endsWith('.seg'));

describe('the records of a device, written in a thread', () => {
  test('are those that this thread would write, wherever they lie and however they came', async () => {
    const upload = fc.record({
      start: fc.integer({ min: 0, max: 5000 }),
      // Small ones lie in memory row by row, large ones as blocks.
      count: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 500, max: 1500 })),
      text: fc.boolean(),
    });
    const bound = fc.option(fc.integer({ min: 0, max: 6_000_000 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.array(upload, { minLength: 1, maxLength: 8 }),
        bound,
        bound,
        async (uploads, a, b) => {
          await store.drop('d');
          for (const { start, count, text } of uploads) {
            const records = counting(start, count).map((one): StoredRecord =>
              text ? record(one.timestamp, { state: `s${one.timestamp}` }) : one,
            );
            await store.append('d', records);
          }
          const range = { ...(a !== undefined && { start: a }), ...(b !== undefined && { end: b }) };
          for (const format of ['ndjson', 'csv'] as const) {
            const here = await textOf(given({ records: readBy(null), range, format }));
            expect(await textOf(given({ range, format }))).toBe(here);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('are those of when it began, whatever is stored or purged meanwhile; then their files go', async () => {
    await store.append('d', counting(0, 20_000));
    const seen: string[] = [];
    for await (const { bytes } of exportDevice(given())) {
      if (seen.length === 0) {
        await store.append('d', counting(20_000, 5000));
        await store.purge('d', 1);
      }
      seen.push(Buffer.from(bytes).toString());
    }
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.join('')).toBe(lines(0, 20_000).join(''));
    expect(await textOf(given())).toBe('');
    await store.close();
    expect(await segments()).toEqual([]);
  });

  test('are counted as they come, and no longer read when nobody asks for more', async () => {
    await store.append('d', counting(0, 20_000));
    let read = 0;
    for await (const { length } of exportDevice(given())) read += length;
    expect(read).toBe(20_000);

    for await (const { length } of exportDevice(given())) if (length > 0) break;
    const gone = new AbortController();
    const stopped = exportDevice(given({ signal: gone.signal }));
    await stopped.next();
    gone.abort(new Error('the asker has gone'));
    await expect(rest(stopped)).rejects.toThrow('the asker has gone');
    // Nothing holds the files any more.
    await store.purge('d', 1);
    await store.close();
    expect(await segments()).toEqual([]);
  });

  test('end with a clear error at a damaged block, and come without it the next time', async () => {
    await store.append('d', counting(0, 4096));
    await store.deleteRange('d', { start: 0, end: 0 });
    await store.close();
    const [only] = await segments();
    const file = await open(join(directory, 'd', only!), 'r+');
    await file.write(Buffer.from([0xff, 0xff, 0xff, 0xff]), 0, 4, 64);
    await file.close();
    store = await openLog({ directory, limits, threads });
    await expect(textOf(given())).rejects.toMatchObject({ code: 'damaged' });
    expect(store.recovery.map(({ kind }) => kind)).toEqual(['damaged']);
    // A block is 1,024 records; the first of the first block was deleted.
    expect(await textOf(given())).toBe(lines(1024, 4096).join(''));
  });

  test('end with a clear error where the thread ends', async () => {
    await store.append('d', counting(0, 20_000));
    const dying = createThreads({ script: WORKER_SCRIPT });
    const options = given({ records: readBy(dying) });
    const pieces = exportDevice(options);
    await pieces.next();
    await dying.close();
    await expect(rest(pieces)).rejects.toMatchObject({ name: 'ThreadError' });
    expect(await textOf(given())).toBe(lines(0, 20_000).join(''));
  });

  test('stay in this thread where they are few', async () => {
    await store.close();
    store = await openLog({ directory, threads });
    await store.append('d', counting(0, 1000));
    const { threads: seen, streams } = counted(threads);
    expect(await textOf(given({ records: readBy(seen) }))).toBe(lines(0, 1000).join(''));
    expect(streams()).toBe(0);
    await store.append('d', counting(1000, 70_000));
    expect((await textOf(given({ records: readBy(seen) }))).length).toBe(lines(0, 71_000).join('').length);
    expect(streams()).toBe(1);
  });
});

test('a long scan lets others run after each slice of work', async () => {
  await store.append('d', counting(0, 40_000));
  let turns = 0;
  let over = false;
  const turn = () => void (over || (turns++, setImmediate(turn)));
  setImmediate(turn);
  let batches = 0;
  for await (const records of store.scan('d')) {
    expect(records.length).toBeGreaterThan(0);
    batches++;
    // More than a slice of time.
    const end = performance.now() + 5;
    while (performance.now() < end);
  }
  over = true;
  expect(batches).toBeGreaterThan(30);
  expect(turns).toBeGreaterThanOrEqual(batches - 1);
});
