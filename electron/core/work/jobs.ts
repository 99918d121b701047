import type { Chances } from '../base/chance.ts';
import { Refusal, StoreError, ThreadError } from '../base/errors.ts';
import type { Awaitable } from '../base/awaitable.ts';
import type { EventBus } from '../base/event-bus.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { Job } from '#shared/domain/events.ts';

/** Windows hear of a job at most this often, beside its first and last event. */
const INTERVAL_MS = 100;

export interface JobStart extends Pick<
  Job,
  'kind' | 'account_id' | 'project_id' | 'device_id' | 'unit' | 'total'
> {
  /** Name of its subject. */
  readonly name?: string;
  /** Ends the work when it fires: callers that may see the job may cancel it. Absent where nothing can end it. */
  readonly stop?: AbortController;
}

/** Reports progress in the job's unit; `total` where it has become known. */
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
  /** Returns the running jobs, in the order of their beginning. */
  running(): Awaitable<readonly Job[]>;
  /** Cancels a job that can be cancelled, with the reason for its caller. */
  cancel(id: string, reason: Refusal): Awaitable<void>;
}

/** The jobs of one process, which it knows without asking. */
export interface OwnJobs extends Jobs {
  running(): readonly Job[];
  cancel(id: string, reason: Refusal): void;
}

export function createJobs(events: Pick<EventBus, 'publish'>, chance: Pick<Chances, 'of'>): OwnJobs {
  /** Running jobs, by id. */
  const jobs = new Map<string, { readonly now: () => Job; readonly stop: AbortController | undefined }>();

  /** Begins a job: what moves it on, what ends it, and the signal on which its work stops. */
  function begin({ stop, name = '', ...start }: JobStart, signal?: AbortSignal) {
    const began = machineClock.monotonicMs();
    // Apart from what requests draw: work of an export begins when its answer is read, which may be after the next request.
    const id = chance.of(`${start.account_id} jobs`).uuid();
    let job: Omit<Job, 'elapsed_ms'> = {
      ...start,
      id,
      name,
      state: 'running',
      done: 0,
      cancellable: stop !== undefined,
      problem: null,
    };
    let nextEvent = 0;
    // So that the bar moves on even when the work goes quiet after its last step, as a commit does.
    let pending: NodeJS.Timeout | undefined;

    const now = (): Job => ({ ...job, elapsed_ms: Math.round(machineClock.monotonicMs() - began) });
    const publish = () => {
      clearTimeout(pending);
      pending = undefined;
      nextEvent = machineClock.monotonicMs() + INTERVAL_MS;
      events.publish('jobs.progress', now());
    };
    const progress: Progress = (done, total = job.total ?? undefined) => {
      job = { ...job, done, total: total ?? null };
      const wait = nextEvent - machineClock.monotonicMs();
      if (wait <= 0) publish();
      else pending ??= machineClock.after(wait, publish);
    };
    const end = (state: Job['state'], problem: string | null = null) => {
      jobs.delete(id);
      job = { ...job, state, problem };
      publish();
    };
    const either = stop ? AbortSignal.any(signal ? [stop.signal, signal] : [stop.signal]) : signal;

    jobs.set(id, { now, stop });
    publish();
    return { progress, end, signal: either ?? new AbortController().signal };
  }

  return {
    async run(start, work, given) {
      const { progress, end, signal } = begin(start, given);
      try {
        const result = await work(progress, signal);
        end('done');
        return result;
      } catch (error) {
        if (signal.aborted) end('cancelled');
        else end('failed', toldOf(error));
        throw error;
      }
    },

    async *follow(start, parts, given) {
      const { progress, end, signal } = begin(start, given);
      let state: Job['state'] = 'cancelled';
      let problem: string | null = null;
      let done = 0;
      try {
        for await (const part of parts) {
          signal.throwIfAborted();
          yield part;
          progress((done += part.length));
        }
        state = 'done';
      } catch (error) {
        if (!signal.aborted) {
          state = 'failed';
          problem = toldOf(error);
        }
        throw error;
      } finally {
        end(state, problem);
      }
    },

    running: () => [...jobs.values()].map(({ now }) => now()),
    cancel: (id, reason) => jobs.get(id)?.stop?.abort(reason),
  };
}

/** Returns the message of a failure for people; words of the system and of libraries are for the log. */
function toldOf(error: unknown): string {
  const isForeseen = [Refusal, StoreError, ThreadError].some((kind) => error instanceof kind);
  return isForeseen && error instanceof Error ? error.message : 'The service failed; its log has more.';
}
