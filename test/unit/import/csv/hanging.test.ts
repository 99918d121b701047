import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importRecords } from '#core/import/import.ts';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import { createThreads, type Threads } from '#core/threads/threads.ts';
import { CREDIT } from '#shared/values/credit.ts';
import { clockOf } from '../../../helpers/clock.ts';
import { counting } from '../../../suites/record-store/harness.ts';

/** As many as a thread takes in hand when some of them are deleted. */
const ROWS = 80_000;

let directory: string;
let store: RecordStore;
let threads: Threads;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-hanging-'));
  threads = createThreads({
    script: join(import.meta.dirname, '../fixture/hanging-worker.ts'),
    patienceMs: 100,
  });
  store = await openLog({ directory, threads });
});
afterEach(async () => {
  await store.close();
  await threads.close();
  await rm(directory, { recursive: true });
});

async function* small() {
  yield Buffer.from('time,n\n2015-02-04 17:51:00,1\n');
}

/** As many pieces as a thread is sent that takes none of them; it is asked for another one when one was taken. */
async function* large(taken: () => void) {
  for (let piece = 0; piece < CREDIT; piece++) yield* small();
  taken();
}

function importInto(
  device: string,
  zone: string,
  { bytes = small(), signal }: { bytes?: AsyncIterable<Uint8Array>; signal?: AbortSignal } = {},
) {
  return importRecords({
    body: { bytes, size: null, type: 'text/csv' },
    settings: { zone },
    records: store,
    device,
    clock: clockOf(() => 1),
    progress: () => {},
    signal: signal ?? new AbortController().signal,
  });
}

test('imports that never end hold up no delete, and once they are cancelled no other import', async () => {
  const batch = await store.batch('d');
  await batch.add(counting(0, ROWS));
  await batch.commit();

  const controller = new AbortController();
  const { signal } = controller;
  const hanging = ['a', 'b'].map((device) => {
    const begun = Promise.withResolvers<void>();
    const done = importInto(device, 'hang', { signal, bytes: large(() => begun.resolve()) });
    done.catch(() => undefined);
    return { begun: Promise.race([begun.promise, done]), done };
  });
  for (const { begun } of hanging) await begun;

  const [first, last] = [counting(10, 1)[0]!, counting(ROWS - 10, 1)[0]!];
  expect(await store.deleteRange('d', { start: first.timestamp, end: last.timestamp })).toBe(ROWS - 19);
  expect(await store.count('d')).toBe(19);

  controller.abort(new Error('the window closed'));
  for (const { done } of hanging) await expect(done).rejects.toThrow('the window closed');
  // Their threads end soon; an import that began in one of them before that says so, and a new one goes through.
  await expect
    .poll(
      () =>
        importInto('e', 'UTC').then(
          ({ stored }) => stored,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .toBe(1);
});
