import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Job } from '#shared/domain/events.ts';
import {
  clearFinished,
  onFailure,
  ownRowOf,
  startWork,
  tellOwnRow,
  useJobs,
  watchJob,
  type TrayJob,
  type Work,
} from '../../../../renderer/stores/jobs.ts';
import { PATIENTLY } from '../../../helpers/patiently.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  clearFinished();
  vi.useRealTimers();
});

const rows = () => useJobs.getState().rows;
const last = () => rows().at(-1);

const OF = { kind: 'import', project_id: 'p', device_id: 'd' } as const;
const serviceJob = (id: string, device_id = 'd'): Job => ({
  ...OF,
  device_id,
  id,
  account_id: 'a',
  name: 'Pump',
  state: 'running',
  done: 5,
  total: 10,
  unit: 'bytes',
  elapsed_ms: 1000,
  cancellable: true,
  problem: null,
});

/** Work that waits to be told how it ends. */
function held(more: Partial<Work<string>> = {}) {
  const attempts: {
    resolve: (text: string) => void;
    reject: (error: Error) => void;
    progress: (done: number, total?: number) => void;
  }[] = [];
  const started = startWork<string>({
    verb: 'Import',
    about: 'big.csv → Pump',
    unit: 'bytes',
    total: 100,
    run: (progress, signal) =>
      new Promise((resolve, reject) => {
        attempts.push({ resolve, reject, progress });
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    outcome: (text) => (text === '' ? null : { text }),
    ...more,
  });
  return { ...started, attempts };
}

test('work is a row from its start to what came of it', async () => {
  const work = held();
  expect(last()).toMatchObject({ verb: 'Import', state: 'running', done: 0, total: 100, rate: 0 });
  await vi.advanceTimersByTimeAsync(1000);
  work.attempts[0]?.progress(40);
  await vi.advanceTimersByTimeAsync(200);
  expect(last()).toMatchObject({ done: 40, rate: 40 });
  work.attempts[0]?.resolve('2,016 records');
  expect(await work.finished).toBe('2,016 records');
  expect(last()).toMatchObject({ state: 'done', result: '2,016 records' });
  expect(last()?.cancel).toBeUndefined();
});

test('a thousand steps draw the tray a few times', async () => {
  const work = held({ total: 1000 });
  let drawn = 0;
  const stop = useJobs.subscribe(() => drawn++);
  for (let step = 1; step <= 1000; step++) {
    work.attempts[0]?.progress(step);
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(drawn).toBeGreaterThan(5);
  expect(drawn).toBeLessThanOrEqual(10);
  stop();
  work.attempts[0]?.resolve('done');
  await work.finished;
});

test('cancelled work says so, and is tried again as it was', async () => {
  const failures: TrayJob[] = [];
  onFailure((row) => failures.push(row));
  const work = held();
  last()?.cancel?.();
  await expect(work.finished).rejects.toThrow('cancelled');
  expect(last()).toMatchObject({ state: 'cancelled', problem: null });
  last()?.retry?.();
  expect(last()).toMatchObject({ id: work.id, state: 'running', done: 0 });
  work.attempts[1]?.resolve('3 records');
  await vi.waitFor(() => expect(last()).toMatchObject({ state: 'done', result: '3 records' }), PATIENTLY);
  expect(rows()).toHaveLength(1);
  expect(failures).toEqual([]);
});

test('what failed is told, unless somebody is shown it already', async () => {
  const failures: (string | null)[] = [];
  onFailure(({ problem }) => failures.push(problem));
  const first = held();
  first.attempts[0]?.reject(new Error('line 3'));
  await expect(first.finished).rejects.toThrow('line 3');
  expect(last()).toMatchObject({ state: 'failed', problem: 'line 3' });
  const second = held();
  const stop = watchJob(second.id);
  second.attempts[0]?.reject(new Error('line 4'));
  await expect(second.finished).rejects.toThrow('line 4');
  expect(failures).toEqual(['line 3']);
  // Tried again after the dialog was closed.
  stop();
  last()?.retry?.();
  second.attempts[1]?.reject(new Error('line 5'));
  await vi.waitFor(() => expect(failures).toEqual(['line 3', 'line 5']), PATIENTLY);
});

test('what the person did not want after all leaves no row', async () => {
  const work = held();
  work.attempts[0]?.resolve('');
  await work.finished;
  expect(rows()).toEqual([]);
});

test("a job of the service is the row of the window's own work that asked for it, once", async () => {
  const one = held({ job: OF });
  const two = held({ job: OF });
  expect(ownRowOf(serviceJob('x', 'another'))).toBeNull();
  expect(ownRowOf(serviceJob('x'))).toBe(one.id);
  expect(ownRowOf(serviceJob('y'))).toBe(two.id);
  expect(ownRowOf(serviceJob('x'))).toBe(one.id);
  // Another window's.
  expect(ownRowOf(serviceJob('z'))).toBeNull();
  tellOwnRow(one.id, serviceJob('x'));
  await vi.advanceTimersByTimeAsync(200);
  expect(rows()[0]).toMatchObject({ id: one.id, done: 5, total: 10, rate: 5 });
  one.attempts[0]?.progress(1, 100);
  tellOwnRow(one.id, serviceJob('x'));
  await vi.advanceTimersByTimeAsync(200);
  expect(rows()[0]).toMatchObject({ id: one.id, done: 1, total: 100 });
  one.attempts[0]?.resolve('done');
  two.attempts[0]?.resolve('done');
  await Promise.all([one.finished, two.finished]);
  // Its last event may come after its answer.
  expect(ownRowOf(serviceJob('x'))).toBe(one.id);
});
