import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Job } from '#shared/domain/events.ts';
import { Refusal } from '#core/base/errors.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import { createDatabaseWork } from '#core/lab/database-work.ts';
import { Heartbeat } from '#core/lab/heartbeat.ts';
import { createSharedJobs } from '#core/lab/shared-jobs.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import type { JobStart } from '#core/work/jobs.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { hasPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';

const START: JobStart = {
  kind: 'import',
  account_id: 'a',
  project_id: 'p',
  device_id: 'd',
  unit: 'bytes',
  total: 1000,
};

describe.skipIf(!hasPostgres)('services over one database', () => {
  let postgres: Postgres;
  let database: Database;
  const open: Heartbeat[] = [];

  beforeAll(async () => {
    postgres = await sharedPostgres();
  });
  beforeEach(async () => {
    database = await openDatabase({ url: await postgres.database() });
    // A sign of life is given only where a test says so: one that is dead would come back else.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((heartbeat) => heartbeat.close()));
    vi.useRealTimers();
    await database.close();
  });

  async function service(id: string) {
    const heartbeat = await Heartbeat.open(database, { id, name: id }, { warn: () => {} });
    open.push(heartbeat);
    const events = createEventBus();
    const heard: Job[] = [];
    events
      .subscriber(({ topic, payload }) => topic === 'jobs.progress' && heard.push(payload))
      .subscribe('jobs.progress');
    const jobs = createSharedJobs({ database, events, heartbeat, chance: systemRandom });
    return { heartbeat, jobs, heard, work: createDatabaseWork(database, id) };
  }

  /** As if it had given its last sign of life long ago. */
  const die = (id: string) =>
    database.askAll([
      { sql: "UPDATE service SET seen = now() - interval '1 hour' WHERE id = $1", params: [id] },
      { sql: "UPDATE under_way SET until = now() - interval '1 s' WHERE service_id = $1", params: [id] },
    ]);

  test('what one has under way another one leaves alone, until it is done', async () => {
    const [a, b] = [await service('a'), await service('b')];
    const held = Promise.withResolvers<string>();
    const doing = a.work.during('delete d', () => held.promise);
    await expect.poll(() => database.ask('SELECT name FROM under_way')).toHaveLength(1);
    expect(await b.work.unlessUnderWay('delete d', async () => 'twice')).toBeNull();
    expect(await a.work.unlessUnderWay('delete d', async () => 'twice')).toBeNull();
    expect(await b.work.unlessUnderWay('delete e', async () => 'other')).toBe('other');
    held.resolve('done');
    expect(await doing).toBe('done');
    expect(await b.work.unlessUnderWay('delete d', async () => 'again')).toBe('again');
  });

  test('what a dead one had under way another one takes', async () => {
    const [a, b] = [await service('a'), await service('b')];
    const never = Promise.withResolvers<void>();
    const doing = a.work.during('delete d', () => never.promise);
    await expect.poll(() => database.ask('SELECT name FROM under_way')).toHaveLength(1);
    await die('a');
    expect(await b.work.unlessUnderWay('delete d', async () => 'finished')).toBe('finished');
    never.resolve();
    await doing;
  });

  test('work that fails is under way no longer', async () => {
    const [a, b] = [await service('a'), await service('b')];
    await expect(a.work.during('delete d', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await b.work.unlessUnderWay('delete d', async () => 'mine')).toBe('mine');
  });

  test('a job is listed at all of them, and cancelled from any', async () => {
    const [a, b] = [await service('a'), await service('b')];
    const stop = new AbortController();
    const done = a.jobs.run({ ...START, stop }, (progress, signal) => {
      progress(400);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    });
    const ended = expect(done).rejects.toThrow('The import was cancelled.');
    await a.heartbeat.beat();
    const [job] = await b.jobs.running();
    expect(job).toMatchObject({ ...START, done: 400, state: 'running', cancellable: true });
    await b.jobs.cancel(job?.id ?? '', new Refusal(500, 'The import was cancelled.'));
    await a.heartbeat.beat();
    await ended;
    await a.heartbeat.beat();
    expect(await b.jobs.running()).toEqual([]);
    expect(a.heard.at(-1)).toMatchObject({ state: 'cancelled' });
  });

  test('a job that a dead one left is told as failed, once', async () => {
    const [a, b, c] = [await service('a'), await service('b'), await service('c')];
    const never = Promise.withResolvers<void>();
    const doing = a.jobs.run(START, () => never.promise);
    await a.heartbeat.beat();
    await die('a');
    await Promise.all([b.heartbeat.beat(), c.heartbeat.beat()]);
    const told = [...b.heard, ...c.heard];
    expect(told).toMatchObject([{ ...START, state: 'failed', cancellable: false }]);
    never.resolve();
    await doing;
  });
});
