import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabaseTickets } from '#core/lab/database-tickets.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { hasPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';
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
});
