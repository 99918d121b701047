import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import type { TaskKind } from '#core/threads/task-kind.ts';
import { createThreads, type Threads } from '#core/threads/threads.ts';
import { PATIENTLY } from '../../../helpers/patiently.ts';
import { WORKER_SCRIPT } from '../../../helpers/service/scripts.ts';
import { recordStoreSuite } from '../../../suites/record-store.ts';
import { counting, pageOfN, scanned } from '../../../suites/record-store/harness.ts';

const script = WORKER_SCRIPT;
const threads = createThreads({ script });
afterAll(() => threads.close());

// Limits so small that everything moves to segments all the time, and threads merge all of them.
const limits = { walBytes: 4096, segmentRows: 256, handles: 2, blockBytes: 1, lateRuns: 2, threadRows: 1 };

recordStoreSuite('the append log with a thread that merges', {
  open: (options) => openLog({ ...options, limits }),
  supports: { durable: true, threads: true },
});

let directory: string;
let store: RecordStore | null = null;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-rewriting-'));
});
afterEach(async () => {
  await store?.close();
  store = null;
  await rm(directory, { recursive: true, force: true });
});

const segments = async () => (await readdir(join(directory, 'd'))).filter((name) => name.endsWith('.seg'));

/** Threads that tell what they are asked for. */
function watched(inner: Threads) {
  const kinds: string[] = [];
  const run = <S, I, O, R>(kind: TaskKind<S, I, O, R>, ...rest: [S, object?]): Promise<R> => {
    kinds.push(kind.name);
    return inner.run(kind, ...rest);
  };
  return { threads: { ...inner, run }, kinds };
}

test('many uploads become few files, in a thread, and stay the same records', async () => {
  const { threads: seen, kinds } = watched(threads);
  store = await openLog({ directory, limits: { ...limits, segmentRows: 1 << 20 }, threads: seen });
  for (let n = 0; n < 200; n++) await store.append('d', counting(n * 100, 100));
  await vi.waitFor(() => expect(kinds).toContain('rewrite'), PATIENTLY);
  await vi.waitFor(async () => expect((await segments()).length).toBeLessThan(10), PATIENTLY);
  expect((await scanned(store, 'd')).length).toBe(20_000);
  expect(await pageOfN(store, 'd', { offset: 19_990, limit: 10 })).toEqual(
    Array.from({ length: 10 }, (_, i) => 9 - i),
  );
});

test.each([
  ['in few bytes are written here', 1 << 30, []],
  ['in many bytes go to a thread', 1, ['rewrite']],
])('few rows %s', async (_, threadBytes, asked) => {
  const { threads: seen, kinds } = watched(threads);
  const own = { ...limits, segmentRows: 1 << 20, threadRows: 1 << 30, threadBytes };
  store = await openLog({ directory, limits: { ...own, threadBytes: 1 << 30 } });
  await store.append('d', counting(0, 2000));
  await store.close();
  store = await openLog({ directory, limits: own, threads: seen });
  expect(await store.deleteRange('d', { start: 100_000, end: 199_000 })).toBe(100);
  expect(kinds).toEqual(asked);
  expect((await store.threadWork?.snapshot('d')) === null).toBe(asked.length === 0);
});

test('where the thread ends in the middle, the work is done without it', async () => {
  let fail = true;
  const dying = createThreads({ script });
  const failing: Threads = {
    ...dying,
    async run(kind, start, options) {
      if (!fail) return dying.run(kind, start, options);
      fail = false;
      const running = dying.run(kind, start, options);
      await dying.close();
      return running;
    },
  };
  store = await openLog({ directory, limits, threads: failing });
  await store.append('d', counting(0, 2000));
  await store.append('d', counting(2000, 2000));
  expect(await store.deleteRange('d', { start: 100_000, end: 199_000 })).toBe(100);
  expect(fail).toBe(false);
  const left = (await scanned(store, 'd')).length;
  expect(left).toBe(3900);
  await store.close();
  store = await openLog({ directory, limits });
  expect(store.recovery).toEqual([]);
  expect((await scanned(store, 'd')).length).toBe(3900);
});

test('a block that a thread finds damaged is set aside, said so, and the rest is written', async () => {
  const oneSegment = { ...limits, segmentRows: 1 << 20 };
  store = await openLog({ directory, limits: { ...oneSegment, threadRows: 1 << 30 } });
  await store.append('d', counting(0, 4096));
  await store.deleteRange('d', { start: 0, end: 0 });
  await store.close();
  const [only, ...others] = await segments();
  expect(others).toEqual([]);
  const file = await open(join(directory, 'd', only!), 'r+');
  await file.write(Buffer.from([0xff, 0xff, 0xff, 0xff]), 0, 4, 64);
  await file.close();
  const { threads: seen, kinds } = watched(threads);
  store = await openLog({ directory, limits: oneSegment, threads: seen });
  expect(await store.deleteRange('d', { start: 3_000_000, end: 3_000_000 })).toBe(1);
  expect(kinds).toEqual(['rewrite', 'rewrite']);
  expect(store.recovery.map(({ kind }) => kind)).toEqual(['damaged']);
  // A block is 1,024 records.
  const left = (await scanned(store, 'd')).map(({ timestamp }) => timestamp / 1000);
  expect(left).toEqual(counting(1024, 3072).flatMap(({ values: [n] }) => (n === 3000 ? [] : [n])));
});

test('a purge while a thread merges leaves nothing behind, and a drop not even the folder', async () => {
  store = await openLog({ directory, limits, threads });
  for (let round = 0; round < 5; round++) {
    for (let n = 0; n < 20; n++) await store.append('d', counting(n * 600, 600));
    await store.purge('d', round + 1);
    expect(await store.count('d')).toBe(0);
  }
  for (let n = 0; n < 20; n++) await store.append('d', counting(n * 600, 600));
  await store.drop('d');
  await store.close();
  expect(await readdir(directory)).not.toContain('d');
  store = await openLog({ directory, limits });
  expect(store.recovery).toEqual([]);
  expect(await store.count('d')).toBe(0);
});
