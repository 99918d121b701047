import { create } from 'zustand';
import type { Job } from '#shared/domain/events.ts';

/** Long work as a row of the jobs tray, of this window or the service. */
export interface TrayJob {
  readonly id: string;
  /** Verb: "Import". */
  readonly verb: string;
  /** To what: "big.csv → Boiler 3". */
  readonly about: string;
  /** `unknown`: it ended while nobody could hear how. */
  readonly state: Job['state'] | 'unknown';
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
  readonly unit: Job['unit'];
  /** Units a second since it began; 0 until it can be said. */
  readonly rate: number;
  /** Result, once it is done. */
  readonly result: string | null;
  /** Why it failed. */
  readonly problem: string | null;
  /** Actions; absent where they cannot be done. */
  readonly cancel?: () => void;
  readonly retry?: () => void;
  readonly show?: () => void;
}

/** The job of the service that a window's own work is there, which then gets no row. */
export type JobOf = Pick<Job, 'kind' | 'project_id' | 'device_id'>;

export interface Outcome {
  /** "2,016 records · 84 KB" */
  readonly text: string;
  /** Goes to what was made. */
  readonly show?: () => void;
}

/** Long work of this window. */
export interface Work<T> {
  readonly verb: string;
  readonly about: string;
  readonly unit: Job['unit'];
  readonly total?: number;
  readonly job?: JobOf;
  /**
   * Does it. `progress` says how far it is, in `unit`s; where it is never called, what the service says of `job` counts.
   * It stops, by rejecting, when the signal fires.
   */
  readonly run: (progress: (done: number, total?: number) => void, signal: AbortSignal) => Promise<T>;
  /** Returns the outcome; null where the person cancelled it: then its row goes. */
  readonly outcome: (result: T) => Outcome | null;
}

/** Work that was started. */
export interface Started<T> {
  /** Of its row. */
  readonly id: string;
  /** Settles as the work does. Nobody need listen: the tray says how it went. */
  readonly finished: Promise<T>;
  readonly cancel: () => void;
}

/** Rows hear of progress at most this often. */
const INTERVAL_MS = 100;
/** Finished rows that are kept. */
const MOST_FINISHED = 200;
/** So long it takes until a rate is worth saying. */
const RATE_AFTER_MS = 300;

const rows = new Map<string, TrayJob>();
let waiting: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;

/** The rows of the tray, the first one that began first. */
export const useJobs = create<{ readonly rows: readonly TrayJob[] }>(() => ({ rows: [] }));

function flush(): void {
  clearTimeout(waiting);
  waiting = undefined;
  useJobs.setState({ rows: [...rows.values()] });
}

/** Changes a row, or adds it. What moves only the bar waits a moment. */
export function putRow(row: TrayJob): void {
  const before = rows.get(row.id);
  rows.set(row.id, row);
  if (before?.state === row.state) {
    waiting ??= setTimeout(flush, INTERVAL_MS);
    return;
  }
  const finished = [...rows.values()].filter(({ state }) => state !== 'running');
  for (const { id } of finished.slice(0, -MOST_FINISHED)) rows.delete(id);
  flush();
}

export function removeRow(id: string): void {
  if (rows.delete(id)) flush();
}

/** Takes away what has ended. */
export function clearFinished(): void {
  for (const { id, state } of rows.values()) if (state !== 'running') rows.delete(id);
  flush();
}

export function rateOf(done: number, elapsedMs: number): number {
  return elapsedMs < RATE_AFTER_MS ? 0 : (done / elapsedMs) * 1000;
}

/** Work of this window that runs, by the id of its row. */
interface Own {
  readonly of: JobOf | undefined;
  hasJob: boolean;
  tellsItself: boolean;
}
const own = new Map<string, Own>();

/** The rows of the window's own work, by the ids of the service's jobs that are the same work. */
const rowOfJob = new Map<string, string>();

/** The id of the row that a job of the service is already: of work that this window asked for. Null: of none. */
export function ownRowOf({ id, kind, project_id, device_id }: Job): string | null {
  const known = rowOfJob.get(id);
  if (known !== undefined) return known;
  for (const [row, work] of own) {
    const { of, hasJob } = work;
    if (hasJob || of?.kind !== kind || of.project_id !== project_id || of.device_id !== device_id) continue;
    work.hasJob = true;
    rowOfJob.set(id, row);
    return row;
  }
  return null;
}

/** Moves the bar of the window's own work by what the service says, where the work itself does not say it. */
export function tellOwnRow(id: string, { done, total, unit, elapsed_ms }: Job): void {
  const row = rows.get(id);
  if (row?.state !== 'running' || own.get(id)?.tellsItself !== false) return;
  putRow({ ...row, done, total, unit, rate: rateOf(done, elapsed_ms) });
}

const watched = new Map<string, number>();
type FailureListener = (row: TrayJob) => void;
let tellFailure: FailureListener = () => {};

/** Sets the listener for failures that no screen shows. */
export function onFailure(listener: FailureListener): void {
  tellFailure = listener;
}

/** Marks a job as shown elsewhere, with its failure; returns the end of that. */
export function watchJob(id: string): () => void {
  watched.set(id, (watched.get(id) ?? 0) + 1);
  return () => void watched.set(id, (watched.get(id) ?? 1) - 1);
}

/** Starts long work of this window: a row of the tray from now on, with all that can be done to it. */
export function startWork<T>(work: Work<T>): Started<T> {
  const id = `own-${++lastId}`;
  const { verb, about, unit } = work;
  let controller = new AbortController();
  const cancel = () => controller.abort(new DOMException('It was cancelled.', 'AbortError'));
  const now = () => rows.get(id);

  async function attempt(): Promise<T> {
    const { signal } = (controller = new AbortController());
    const began = performance.now();
    const given: Own = { of: work.job, hasJob: false, tellsItself: false };
    own.set(id, given);
    let last: TrayJob = {
      id,
      verb,
      about,
      unit,
      state: 'running',
      done: 0,
      total: work.total ?? null,
      rate: 0,
      result: null,
      problem: null,
      cancel,
    };
    putRow(last);
    const progress = (done: number, total = now()?.total ?? null) => {
      given.tellsItself = true;
      const rate = rateOf(done, performance.now() - began);
      if (now()?.state === 'running') putRow((last = { ...last, done, total, rate }));
    };
    const end = (ended: Partial<TrayJob>) => {
      const { cancel: _, ...row } = now() ?? last;
      putRow({ ...row, ...ended });
    };
    try {
      const result = await work.run(progress, signal);
      const outcome = work.outcome(result);
      if (outcome === null) removeRow(id);
      else end({ state: 'done', result: outcome.text, ...(outcome.show && { show: outcome.show }) });
      return result;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (signal.aborted) end({ state: 'cancelled', retry });
      else {
        end({ state: 'failed', problem, retry });
        if (!watched.get(id)) tellFailure({ ...last, problem });
      }
      throw error;
    } finally {
      own.delete(id);
    }
  }

  function retry(): void {
    // How it went is said by its row.
    attempt().catch(() => {});
  }

  const finished = attempt();
  finished.catch(() => {});
  return { id, finished, cancel };
}
