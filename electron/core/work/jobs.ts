import { randomUUID } from 'node:crypto';
import type { EventBus } from '../event-bus.ts';
import type { Job } from '#shared/events.ts';

/** Windows hear of a job at most this often, beside its first and last event. */
const INTERVAL_MS = 100;

export type JobStart = Pick<Job, 'kind' | 'account_id' | 'project_id' | 'device_id' | 'unit' | 'total'>;

/** Says how far the work is, in the job's unit; `total` where it has become known. */
export type Progress = (done: number, total?: number) => void;

export interface Jobs {
  /**
   * Runs long work and tells `jobs.progress` of it: when it starts, on the way, and as done, failed or cancelled when
   * it ends. Resolves and rejects as the work does. The work stops when `signal` fires, by rejecting.
   */
  run<T>(
    start: JobStart,
    work: (progress: Progress, signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /**
   * The same for work that passes its parts on, one after the other: the job's `done` is the sum of their lengths, so
   * follow records to count records and pieces of bytes to count bytes. It is cancelled too when nobody asks for more.
   */
  follow<T extends { readonly length: number }>(
    start: JobStart,
    parts: AsyncIterable<T>,
    signal?: AbortSignal,
  ): AsyncGenerator<T, void, undefined>;
}

export function createJobs(events: EventBus): Jobs {
  /** Begins a job: what moves it on, and what ends it. */
  function begin(start: JobStart) {
    let job: Job = { ...start, id: randomUUID(), state: 'running', done: 0 };
    let nextEvent = 0;
    // So that the bar moves on even when the work goes quiet after its last step, as a commit does.
    let pending: NodeJS.Timeout | undefined;

    const publish = () => {
      clearTimeout(pending);
      pending = undefined;
      nextEvent = performance.now() + INTERVAL_MS;
      events.publish('jobs.progress', job);
    };
    const progress: Progress = (done, total = job.total ?? undefined) => {
      job = { ...job, done, total: total ?? null };
      const wait = nextEvent - performance.now();
      if (wait <= 0) publish();
      else pending ??= setTimeout(publish, wait);
    };
    const end = (state: Job['state']) => {
      job = { ...job, state };
      publish();
    };

    publish();
    return { progress, end };
  }

  return {
    async run(start, work, signal = new AbortController().signal) {
      const { progress, end } = begin(start);
      try {
        const result = await work(progress, signal);
        end('done');
        return result;
      } catch (error) {
        end(signal.aborted ? 'cancelled' : 'failed');
        throw error;
      }
    },

    async *follow(start, parts, signal) {
      const { progress, end } = begin(start);
      let state: Job['state'] = 'cancelled';
      let done = 0;
      try {
        for await (const part of parts) {
          signal?.throwIfAborted();
          yield part;
          progress((done += part.length));
        }
        state = 'done';
      } catch (error) {
        if (!signal?.aborted) state = 'failed';
        throw error;
      } finally {
        end(state);
      }
    },
  };
}
