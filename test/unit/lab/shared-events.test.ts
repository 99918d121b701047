import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AnyEvent } from '#shared/domain/events.ts';
import { openSharedEvents, type SharedEvents } from '#core/lab/shared-events.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { GIVEN } from '../../helpers/postgres/given-postgres.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';

describe.skipIf(!hasPostgres)('events of services over one database', () => {
  let postgres: Postgres;
  let databases: Database[];
  let a: SharedEvents;
  let b: SharedEvents;
  const warned: string[] = [];

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    databases = [];
    const open = async (service_id: string) => {
      const database = await openDatabase({ url: postgres.url() });
      databases.push(database);
      const log = { warn: (line: string) => void warned.push(line) };
      return openSharedEvents({ database, service_id, log, isSpread: GIVEN !== null });
    };
    [a, b] = [await open('a'), await open('b')];
  });
  afterEach(async () => {
    await Promise.all([a.close(), b.close()]);
    await Promise.all(databases.map((database) => database.close()));
  });

  function listen(events: SharedEvents) {
    const heard: AnyEvent[] = [];
    let missed = 0;
    const subscriber = events.subscriber(
      (event) => heard.push(event),
      () => missed++,
    );
    for (const topic of [
      'records.stored',
      'devices.changed',
      'corrections.changed',
      'requests.seen',
    ] as const)
      subscriber.subscribe(topic);
    return {
      heard,
      get missed() {
        return missed;
      },
    };
  }

  const of = (device_id: string) => ({ account_id: 'a', project_id: 'p', device_id });

  test('are heard at once where they happen, and once at the others', async () => {
    const [here, there] = [listen(a), listen(b)];
    a.publish('devices.changed', of('d'));
    expect(here.heard).toEqual([{ topic: 'devices.changed', payload: of('d') }]);
    await expect.poll(() => there.heard).toEqual(here.heard);
    b.publish('devices.changed', of('e'));
    await expect.poll(() => here.heard).toHaveLength(2);
    expect(there.heard).toHaveLength(2);
  });

  test('that come in a burst are joined, and their records added up', async () => {
    const there = listen(b);
    for (let i = 0; i < 1000; i++) a.publish('records.stored', { ...of('d'), count: 2 });
    await expect
      .poll(() => there.heard)
      .toEqual([{ topic: 'records.stored', payload: { ...of('d'), count: 2000 } }]);
  });

  test('of hundreds of devices arrive; of more than can be told the others know that they missed some', async () => {
    const there = listen(b);
    const all = (count: number) => Array.from({ length: count }, (_, i) => of(`device-${i}`));
    for (const each of all(300)) a.publish('devices.changed', each);
    await expect.poll(() => there.heard.map(({ payload }) => payload)).toEqual(all(300));
    expect(there.missed).toBe(0);
    for (const each of all(5000)) a.publish('devices.changed', each);
    await expect.poll(() => there.missed).toBe(1);
    expect(there.heard).toHaveLength(300);
  });

  test('of more devices that store than can be told, who shows records alone knows that some were missed', async () => {
    const there = listen(b);
    let lost = 0;
    const heard: AnyEvent[] = [];
    const other = b.subscriber(
      (event) => heard.push(event),
      () => lost++,
    );
    for (const topic of ['records.removed', 'devices.changed'] as const) other.subscribe(topic);
    for (let i = 0; i < 5000; i++) a.publish('records.stored', { ...of(`device-${i}`), count: 1 });
    a.publish('devices.changed', of('d'));
    await expect.poll(() => there.missed).toBe(1);
    await expect.poll(() => heard.map(({ payload }) => payload)).toEqual([of('d')]);
    expect(lost).toBe(0);
  });

  test('of what each service remembers, or finds out, for itself stay there', async () => {
    const [here, there] = [listen(a), listen(b)];
    a.publish('requests.seen', { ...of('d'), count: 1, refused: 0 });
    a.publishHere('corrections.changed', of('d'));
    a.publish('devices.changed', of('d'));
    await expect.poll(() => there.heard).toEqual([{ topic: 'devices.changed', payload: of('d') }]);
    expect(here.heard).toHaveLength(3);
  });

  test('that were lost with the database are known to be missing, and later ones arrive', async () => {
    const there = listen(b);
    await postgres.kill();
    a.publish('devices.changed', of('lost'));
    await postgres.start();
    await expect.poll(() => there.missed, { timeout: 20_000 }).toBeGreaterThan(0);
    a.publish('devices.changed', of('later'));
    await expect.poll(() => there.heard.map(({ payload }) => payload)).toContainEqual(of('later'));
  });

  test('that a lost connection did not bring are known to be missing, while the rest of the service notices nothing', async () => {
    const there = listen(b);
    const listening = "FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND datname = current_database()";
    // Those of the test before end after it.
    await expect.poll(() => databases[0]?.ask(`SELECT 1 AS one ${listening}`)).toHaveLength(2);
    const ended = await databases[0]?.ask<{ ended: boolean }>(
      `SELECT pg_terminate_backend(pid) AS ended ${listening}`,
    );
    expect(ended).toEqual([{ ended: true }, { ended: true }]);
    await expect.poll(() => there.missed).toBe(1);
    a.publish('devices.changed', of('later'));
    await expect.poll(() => there.heard).toEqual([{ topic: 'devices.changed', payload: of('later') }]);
  });
});
