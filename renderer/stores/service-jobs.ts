import { useEffect } from 'react';
import type { Job } from '#shared/domain/events.ts';
import { ask, messageOf, Refused } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { useConnection } from '../bridge/connection.ts';
import { ownRowOf, putRow, rateOf, tellOwnRow, useJobs, type TrayJob } from './jobs.ts';

const VERBS: Readonly<Record<Job['kind'], string>> = {
  import: 'Import',
  export: 'Export',
  purge: 'Purge',
  'delete-range': 'Delete records',
  delete: 'Delete',
  'move-secrets': 'Move secrets',
  push: 'Push',
  check: 'Check',
  backup: 'Back up',
  restore: 'Restore',
  handover: 'Hand over',
  simulation: 'Simulate',
  decode: 'Decode again',
};

/** ms after which a job gets a row: a shorter one would be gone before it was read. */
const WORTH_A_ROW_MS = 400;

const idOf = (job: Job) => `job-${job.id}`;

/** The newest of each job that is no row yet. */
const waiting = new Map<string, { job: Job; readonly timer: ReturnType<typeof setTimeout> }>();

const isShown = (id: string) => useJobs.getState().rows.some((row) => row.id === id);

function heard(job: Job): void {
  const own = ownRowOf(job);
  if (own !== null) return tellOwnRow(own, job);
  const id = idOf(job);
  if (isShown(id)) return putRow(rowOf(job));
  const early = waiting.get(id);
  if (job.state !== 'running') {
    clearTimeout(early?.timer);
    waiting.delete(id);
    if (early && job.state === 'failed') putRow(rowOf(job));
  } else if (early) early.job = job;
  else waiting.set(id, { job, timer: setTimeout(() => showWaiting(id), WORTH_A_ROW_MS) });
}

function showWaiting(id: string): void {
  const early = waiting.get(id);
  waiting.delete(id);
  if (early) putRow(rowOf(early.job));
}

function rowOf(job: Job): TrayJob {
  const { id, kind, device_id, name, state, done, total, unit, problem, cancellable, elapsed_ms } = job;
  const row: TrayJob = {
    id: idOf(job),
    verb: VERBS[kind],
    about: name || (device_id === null ? 'a project' : 'a device'),
    state,
    done,
    total,
    unit,
    rate: rateOf(done, elapsed_ms),
    result: null,
    problem,
  };
  const cancel = () =>
    void ask('jobs.cancel', { id }).catch((error: unknown) => putRow({ ...row, problem: messageOf(error) }));
  return state === 'running' && cancellable ? { ...row, cancel } : row;
}

/** Keeps the service's jobs in the tray, of all windows, while the component is mounted. */
export function useServiceJobs(): void {
  const made = useConnection((connection) => connection.made);
  useEffect(() => bridge.subscribe('jobs.progress', heard), []);
  useEffect(() => {
    if (made > 0) void readRunning();
  }, [made]);
}

async function readRunning(): Promise<void> {
  const before = useJobs.getState().rows.filter(({ state }) => state === 'running');
  try {
    const jobs = await ask('jobs.list', {});
    const running = new Set(jobs.map(idOf));
    // How they ended was said to nobody: the connection was lost.
    for (const { cancel: _, ...row } of before)
      if (row.id.startsWith('job-') && !running.has(row.id)) putRow({ ...row, state: 'unknown', rate: 0 });
    jobs.forEach(heard);
  } catch (error) {
    // The next connection asks anew.
    if (error instanceof Refused) throw error;
  }
}
