import { once } from 'node:events';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabaseTickets } from '#core/lab/database-tickets.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { hasPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';
import { letIn } from '../http/console-fixture.ts';
import { ask as request, openTestDoors, type TestDoors } from '../http/fixture.ts';
import { ticketsSuite, type TicketsPlace } from '../../suites/tickets.ts';

/* The tickets of services over one database: the database's clock says how long they are good. */

describe.skipIf(!hasPostgres)('over one database', () => {
  let postgres: Postgres;
  let databases: Database[];

  beforeAll(async () => {
    postgres = await sharedPostgres();
    const url = await postgres.database();
    databases = await Promise.all([1, 2, 3].map(() => openDatabase({ url })));
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
  });
  beforeEach(() => ask('DELETE FROM ticket'));

  const ask = (sql: string) => at(0).ask(sql);
  const at = (n: number) => databases[n] as Database;
  const services = () => databases.map((database) => createDatabaseTickets(database));
  const two = () => [createDatabaseTickets(at(0)), createDatabaseTickets(at(1))] as const;
  const age = (by: string) => ask(`UPDATE ticket SET until = until - interval '${by}'`);

  async function place(): Promise<TicketsPlace> {
    await ask('DELETE FROM ticket');
    return { services: services(), lapse: async () => void (await age('10 minutes')) };
  }
  ticketsSuite('of three services', place, 15);

  test('there are hashes in it, and nothing that opens anything', async () => {
    const [a, b] = two();
    const ticket = await a.issue();
    const admission = await b.redeem(await b.issue());
    const rows = await ask(
      "SELECT encode(hash, 'escape') AS hash, encode(secret, 'escape') AS secret FROM ticket",
    );
    expect(rows).toHaveLength(2);
    for (const secret of [ticket, admission?.cookie, admission?.secret])
      expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('a browser that opens no window for a week is signed out; one that does stays', async () => {
    const [a, b] = two();
    const { cookie = '', secret = '' } = (await a.redeem(await a.issue())) ?? {};
    await age('6 days');
    expect(await b.isSecret(secret)).toBe(true);
    await age('6 days');
    expect(await a.isVisitor(cookie)).toBe(true);
    await age('1 day');
    expect([await a.isVisitor(cookie), await b.isSecret(secret)]).toEqual([false, false]);
  });

  test('a window that stays open keeps its session, and who is signed out holds at no service', async () => {
    const [a, b] = two();
    const [one, other] = await Promise.all([1, 2].map(async () => a.redeem(await a.issue())));
    const secrets = [one?.secret ?? '', other?.secret ?? '', 'nobody'];
    expect(await b.holding(secrets)).toEqual(new Set(secrets.slice(0, 2)));
    await b.signOut(one?.cookie ?? '', '');
    expect(await a.holding(secrets)).toEqual(new Set([other?.secret]));
    await age('6 days');
    const [later] = two();
    expect(await later.holding(secrets)).toEqual(new Set([other?.secret]));
    await age('6 days');
    expect(await a.isVisitor(other?.cookie ?? '')).toBe(true);
  });

  test('a sign-out at one service closes the windows of that browser at all of them, and no other one', async () => {
    const renderer = { rendererDirectory: import.meta.dirname };
    const doors = await Promise.all(two().map((tickets) => openTestDoors(renderer, { tickets })));
    const [here, there] = doors as [TestDoors, TestDoors];
    const [leaving, staying] = [await letIn(here), await letIn(there)];
    /** As a browser shows it that comes to all services by one address. */
    const shownAt = (port: number, visitor: Awaited<ReturnType<typeof letIn>>) => ({
      ...visitor,
      cookie: visitor.cookie.replace(/_\d+=/, `_${port}=`),
      origin: `http://127.0.0.1:${port}`,
    });
    const open = async ({ port }: TestDoors, visitor: Awaited<ReturnType<typeof letIn>>) => {
      const { 'sec-websocket-protocol': offered, ...headers } = shownAt(port, visitor);
      const socket = new WebSocket(`ws://127.0.0.1:${port}/console/socket`, offered.split(', '), { headers });
      await once(socket, 'open');
      return { socket, closed: once(socket, 'close') };
    };
    const windows = await Promise.all([open(here, leaving), open(there, leaving)]);
    const others = await Promise.all([open(here, staying), open(there, staying)]);
    const { 'sec-websocket-protocol': _offered, ...headers } = shownAt(here.port, leaving);
    expect((await request(here.port, 'POST', '/console/session/end', { headers })).status).toBe(204);
    for (const { closed } of windows) {
      const [code, reason] = (await closed) as [number, Buffer];
      expect([code, String(reason)]).toEqual([1008, 'This browser was signed out.']);
    }
    expect(others.map(({ socket }) => socket.readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
    await Promise.all(doors.map((each) => each.close()));
  });
});
