import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Refusal } from '#core/base/errors.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import { createJobs, type JobStart } from '#core/work/jobs.ts';
import { systemRandom } from '#core/base/system-random.ts';
import type { Job } from '#shared/domain/events.ts';

const START: JobStart = {
  kind: 'import',
  account_id: 'a',
  project_id: 'p',
  device_id: 'd',
  unit: 'bytes',
  total: 1000,
};

function setUp() {
  const events = createEventBus();
  const heard: Job[] = [];
  events
    .subscriber(({ topic, payload }) => topic === 'jobs.progress' && heard.push(payload))
    .subscribe('jobs.progress');
  return { jobs: createJobs(events, systemRandom), heard };
}

describe('a job', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is told of from start to end', async () => {
    const { jobs, heard } = setUp();
    const result = await jobs.run(START, async (progress) => {
      progress(400);
      progress(1200, 1200);
      return 'result';
    });
    expect(result).toBe('result');
    expect(heard.at(0)).toMatchObject({ ...START, state: 'running', done: 0 });
    expect(heard.at(-1)).toMatchObject({ state: 'done', done: 1200, total: 1200 });
    expect(new Set(heard.map((job) => job.id)).size).toBe(1);
  });

  test('is told of at most ten times a second, and of its latest step even when it then goes quiet', async () => {
    const { jobs, heard } = setUp();
    await jobs.run(START, async (progress) => {
      for (let step = 1; step <= 1000; step++) {
        progress(step);
        await vi.advanceTimersByTimeAsync(1);
      }
      const before = heard.length;
      progress(1001);
      await vi.advanceTimersByTimeAsync(500);
      expect(heard.slice(before).map((job) => job.done)).toEqual([1001]);
    });
    expect(heard.length).toBeGreaterThan(8);
    expect(heard.length).toBeLessThanOrEqual(1 + 11 + 1);
  });

  test('that fails or is cancelled says which, and rejects as its work did', async () => {
    const { jobs, heard } = setUp();
    const broken = new Error('disk');
    await expect(jobs.run(START, () => Promise.reject(broken))).rejects.toBe(broken);
    expect(heard.at(-1)?.state).toBe('failed');

    const controller = new AbortController();
    const work = jobs.run(
      START,
      (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
      controller.signal,
    );
    controller.abort(new Error('closed'));
    await expect(work).rejects.toThrow('closed');
    expect(heard.at(-1)?.state).toBe('cancelled');
  });

  test('is among what runs until it ends, and ends when it is cancelled', async () => {
    const { jobs, heard } = setUp();
    const stop = new AbortController();
    const work = jobs.run(
      { ...START, name: 'Pump', stop },
      (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    );
    const [job] = jobs.running();
    expect(job).toMatchObject({ name: 'Pump', state: 'running', cancellable: true });
    jobs.cancel(job?.id ?? '', new Refusal(500, 'The import was cancelled.'));
    await expect(work).rejects.toThrow('The import was cancelled.');
    expect(heard.at(-1)).toMatchObject({ state: 'cancelled', problem: null });
    expect(jobs.running()).toEqual([]);
  });

  test('says why it failed, in words for people alone', async () => {
    const { jobs, heard } = setUp();
    const refused = new Refusal(400, 'line 3: expected 2 fields');
    await expect(jobs.run(START, () => Promise.reject(refused))).rejects.toBe(refused);
    expect(heard.at(-1)).toMatchObject({ state: 'failed', problem: 'line 3: expected 2 fields' });
    await expect(jobs.run(START, () => Promise.reject(new Error('EIO /secret')))).rejects.toThrow();
    expect(heard.at(-1)?.problem).toBe('The service failed; its log has more.');
  });

  test('sends nothing after its last event', async () => {
    const { jobs, heard } = setUp();
    await jobs.run(START, async (progress) => progress(10));
    const count = heard.length;
    await vi.advanceTimersByTimeAsync(1000);
    expect(heard).toHaveLength(count);
    expect(heard.at(-1)).toMatchObject({ state: 'done', done: 10 });
  });
});

describe('parts that are followed', () => {
  async function* batches() {
    yield [1, 2, 3];
    yield [4, 5];
  }

  test('are passed on and counted', async () => {
    const { jobs, heard } = setUp();
    const seen: number[] = [];
    for await (const batch of jobs.follow({ ...START, kind: 'export', unit: 'records', total: 5 }, batches()))
      seen.push(...batch);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(heard[0]).toMatchObject({ state: 'running', done: 0, total: 5 });
    expect(heard.at(-1)).toMatchObject({ state: 'done', done: 5, total: 5 });
  });

  test('are cancelled when nobody asks for more or the signal fires, and fail when they do', async () => {
    const { jobs, heard } = setUp();
    for await (const batch of jobs.follow(START, batches())) if (batch.length > 0) break;
    expect(heard.at(-1)?.state).toBe('cancelled');

    const controller = new AbortController();
    const stopped = jobs.follow(START, batches(), controller.signal);
    await stopped.next();
    controller.abort(new Error('closed'));
    await expect(stopped.next()).rejects.toThrow('closed');
    expect(heard.at(-1)?.state).toBe('cancelled');

    const broken = (async function* () {
      yield [1];
      throw new Error('disk');
    })();
    const failing = jobs.follow(START, broken);
    await failing.next();
    await expect(failing.next()).rejects.toThrow('disk');
    expect(heard.at(-1)?.state).toBe('failed');
  });
});
