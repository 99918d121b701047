import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import { createThreads } from '#core/threads/threads.ts';
import { WORKER_SCRIPT } from '../../../helpers/service/scripts.ts';
import { counting } from '../../../suites/record-store/harness.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

/* What a check of a store finds while that is in use. */

/** So small that files come and go all the time. */
const LIMITS = { walBytes: 2000, segmentRows: 40, keptWalBytes: 0, eraseAfterMs: 0, lateRuns: 2 };
const DEVICES = ['a', 'b'];

const threads = createThreads({ script: WORKER_SCRIPT });
afterAll(() => threads.close());

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-live-check-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function checkAll(store: RecordStore) {
  const found = [];
  for (const device of [null, ...(await store.devices())])
    found.push(...(await store.check(device)).findings);
  return found;
}

const device = fc.constantFrom(...DEVICES);
const span = fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 300 }));
const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('append' as const), device, span }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), device, span }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('keep' as const), device, span }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), device, span }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('discard' as const), device, span }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const), device, span }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), device, span }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(store: RecordStore, { do: what, device: of, span: [from, length] }: Step, n: number) {
  const range = { start: from * 1000, end: (from + length) * 1000 };
  if (what === 'append') await store.append(of, counting(from, length), { receipt: `r${n}` });
  else if (what === 'delete') await store.deleteRange(of, range);
  else if (what === 'keep') await store.keep(of, `k${length % 3}`, length % 2 === 0 ? { range } : { at: n });
  else if (what === 'restore') await store.restore(of, `k${length % 3}`);
  else if (what === 'discard') await store.discard(of, `k${length % 3}`);
  else if (what === 'purge') await store.purge(of, n);
  else await store.drop(of);
}

for (const where of ['this thread', 'another thread'] as const)
  test(`nothing that is stored or removed meanwhile is taken for damage: read in ${where}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        const folder = await mkdtemp(join(directory, 'run-'));
        const store = await openLog({
          directory: folder,
          limits: LIMITS,
          threads: where === 'this thread' ? null : threads,
        });
        const over = new AbortController();
        const checking = (async () => {
          const found = [];
          do found.push(...(await checkAll(store)));
          while (!over.signal.aborted);
          return found;
        })();
        for (const [n, each] of steps.entries()) await take(store, each, n);
        over.abort();
        expect(await checking).toEqual([]);
        expect(await checkAll(store)).toEqual([]);
        expect(store.recovery).toEqual([]);
        await store.close();
      }),
      { numRuns: someRuns(40) },
    );
  });

for (const where of ['this thread', 'another thread'] as const)
  test(`any byte of a segment that flips is found, and nothing is changed: read in ${where}`, async () => {
    const made = await openLog({ directory, limits: { keptWalBytes: 0 } });
    for (const each of DEVICES) await made.append(each, counting(0, 3000));
    await made.close();
    const name = (await readdir(join(directory, 'a'))).find((file) => file.endsWith('.seg')) ?? 'none';
    const path = join(directory, 'a', name);
    const whole = await readFile(path);
    const store = await openLog({ directory, threads: where === 'this thread' ? null : threads });
    expect(await checkAll(store)).toEqual([]);
    expect((await store.check('a')).records).toBe(3000);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 16, max: whole.length - 1 }),
        fc.integer({ min: 0, max: 7 }),
        async (at, bit) => {
          const bytes = Buffer.from(whole);
          bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
          await writeFile(path, bytes);
          const found = await checkAll(store);
          expect(found.length, `byte ${at}`).toBeGreaterThan(0);
          expect(found.every((each) => each.device === 'a' && each.file === `a/${name}`)).toBe(true);
          expect(await readFile(path)).toEqual(bytes);
        },
      ),
      { numRuns: someRuns(60) },
    );
    await writeFile(path, whole);
    expect(await checkAll(store)).toEqual([]);
    await store.close();
  });

test('a file that is missing, a damaged manifest and a damaged log are each told', async () => {
  const store = await openLog({
    directory,
    limits: { ...LIMITS, eraseAfterMs: Infinity, walBytes: 1 << 20 },
  });
  await store.append('a', counting(0, 500));
  const [log = ''] = (await readdir(directory)).filter(
    (name) => name.startsWith('wal-') && name.endsWith('.log'),
  );
  const written = await readFile(join(directory, log));
  const damaged = Buffer.from(written);
  damaged.writeUInt8(damaged.readUInt8(200) ^ 1, 200);
  await writeFile(join(directory, log), damaged);
  expect(await checkAll(store)).toMatchObject([{ device: null, file: log, loses: true }]);
  await writeFile(join(directory, log), written);
  expect(await checkAll(store)).toEqual([]);

  await store.keep('a', 'k', { range: { start: 0, end: 100_000 } });
  const manifest = join(directory, 'a', 'manifest');
  const content = await readFile(manifest);
  await writeFile(manifest, content.subarray(0, content.length - 3));
  expect(await checkAll(store)).toMatchObject([{ device: 'a', file: 'a/manifest', loses: false }]);
  await writeFile(manifest, content);
  const [segment = ''] = (await readdir(join(directory, 'a'))).filter((name) => name.endsWith('.seg'));
  await rm(join(directory, 'a', segment));
  expect(await checkAll(store)).toMatchObject([{ device: 'a', file: `a/${segment}`, loses: true }]);
  await store.close();
});

test('a check that is cancelled ends with the reason, and lets go of the files', async () => {
  const store = await openLog({ directory, limits: LIMITS, threads });
  await store.append('a', counting(0, 5000));
  await store.keep('a', 'k', { range: { start: 0, end: 1_000_000 } });
  const stop = new AbortController();
  const checking = store.check('a', { signal: stop.signal, progress: () => stop.abort(new Error('enough')) });
  stop.abort(new Error('enough'));
  await expect(checking).rejects.toThrow('enough');
  await store.discard('a', 'k');
  await store.purge('a', 1);
  await expect.poll(() => readdir(join(directory, 'a'))).toEqual(['manifest']);
  await store.close();
});
