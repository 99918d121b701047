import { parseJson } from '#shared/values/json.ts';
import type { Job } from '#shared/domain/events.ts';
import { Refusal } from '../base/errors.ts';
import type { EventBus } from '../base/event-bus.ts';
import type { Chances } from '../base/chance.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { Asker, Database } from '../store/postgres/connection/connections.ts';
import { createJobs, type Jobs } from '../work/jobs.ts';
import { DEAD_S, type Heartbeat } from './heartbeat.ts';

/** ms after which a job is one that others see. */
const MOMENT_MS = 150;

type JobRow = { readonly body: string };

/** A cancel that another service asked for. */
const cancelled = ({ kind }: Job) => new Refusal(500, `The ${kind} was cancelled.`);

const LOST =
  'The service that did it ended, or has been away for too long. What was not finished is finished or undone by another one.';

/**
 * The jobs of all services over one database. Each runs in one of them, which writes down once a second how far it is, and
 * looks whether somebody cancelled it; what a dead service left is told as failed by whoever finds it.
 */
export function createSharedJobs({
  database,
  events,
  heartbeat,
  chance,
}: {
  readonly database: Database;
  readonly events: EventBus;
  readonly heartbeat: Heartbeat;
  readonly chance: Pick<Chances, 'of'>;
}): Jobs {
  const { service_id } = heartbeat;
  const own = createJobs(events, chance);
  /** Written down, and so to be crossed out. */
  const written = new Set<string>();

  async function beat(): Promise<void> {
    const running = own.running();
    const ended = [...written].filter((id) => !running.some((job) => job.id === id));
    if (running.length > 0 || ended.length > 0) {
      const asked = await write(running, ended);
      for (const { id } of running) written.add(id);
      for (const id of ended) written.delete(id);
      for (const job of running) if (asked.has(job.id)) own.cancel(job.id, cancelled(job));
    }
    for (const job of await deadJobs()) events.publish('jobs.progress', failed(job));
  }

  /** Resolves with the jobs that somebody cancelled. */
  async function write(running: readonly Job[], ended: readonly string[]): Promise<ReadonlySet<string>> {
    await database.ask('DELETE FROM job WHERE id = ANY($1::text[])', [ended]);
    const columns = [running.map(({ id }) => id), running.map((job) => JSON.stringify(job))];
    const rows = await database.ask<{ id: string; cancelled: boolean }>(PUT, [service_id, ...columns]);
    return new Set(rows.filter((row) => row.cancelled).map(({ id }) => id));
  }

  async function deadJobs(): Promise<readonly Job[]> {
    const dead = await database.ask('SELECT 1 AS one FROM service WHERE seen < now() - $1::interval', [DEAD]);
    return dead.length === 0 ? [] : database.change(takeDead);
  }

  heartbeat.add(beat);
  /** Beats soon, so that a job of more than a moment is noted. */
  function soon(): void {
    machineClock.after(MOMENT_MS, () => void (own.running().length > 0 && heartbeat.beat())).unref();
  }

  return {
    run(start, work, signal) {
      soon();
      return own.run(start, work, signal);
    },
    follow(start, parts, signal) {
      soon();
      return own.follow(start, parts, signal);
    },
    async running() {
      const others = await database.ask<JobRow>(
        'SELECT body FROM job WHERE service_id <> $1 AND NOT cancelled ORDER BY started',
        [service_id],
      );
      return [...others.map(readJob), ...own.running()];
    },
    async cancel(id, reason) {
      if (own.running().some((job) => job.id === id)) own.cancel(id, reason);
      else await database.ask('UPDATE job SET cancelled = true WHERE id = $1', [id]);
    },
  };
}

const PUT = `INSERT INTO job (id, service_id, started, body)
  SELECT id, $1, now(), body FROM unnest($2::text[], $3::text[]) AS put (id, body)
  ON CONFLICT (id) DO UPDATE SET body = excluded.body RETURNING id, cancelled`;

const DEAD = `${DEAD_S} s`;

/** Takes what dead services left; one service takes it. */
async function takeDead(asker: Asker): Promise<readonly Job[]> {
  const dead = await asker.ask<{ id: string }>(
    'SELECT id FROM service WHERE seen < now() - $1::interval ORDER BY id FOR UPDATE SKIP LOCKED',
    [DEAD],
  );
  if (dead.length === 0) return [];
  const ids = dead.map(({ id }) => id);
  const jobs = await asker.ask<JobRow>('DELETE FROM job WHERE service_id = ANY($1::text[]) RETURNING body', [
    ids,
  ]);
  await asker.ask('DELETE FROM under_way WHERE service_id = ANY($1::text[])', [ids]);
  await asker.ask('DELETE FROM service WHERE id = ANY($1::text[])', [ids]);
  return jobs.map(readJob);
}

const readJob = ({ body }: JobRow) => parseJson(body) as Job;

const failed = (job: Job): Job => ({ ...job, state: 'failed', cancellable: false, problem: LOST });
