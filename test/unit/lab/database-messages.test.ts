import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabaseMessages } from '#core/lab/database-messages.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { migrate } from '#core/store/postgres/schema/migrate.ts';
import { ownDatabase } from '../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../helpers/postgres/postgres.ts';

describe.skipIf(!hasPostgres)('messages that all services over one database read', () => {
  const own = ownDatabase();
  const databases: Database[] = [];

  beforeAll(async () => {
    databases.push(await openDatabase({ url: own.url }), await openDatabase({ url: own.url }));
    await migrate(databases[0]!);
  });
  afterAll(() => Promise.all(databases.map((database) => database.close())));

  test('have a number each, without a gap, whoever adds them at once', async () => {
    const [a, b] = databases.map((database) => createDatabaseMessages(database, 'test'));
    expect([await a!.newest(), await b!.after(0, 10)]).toEqual([0, []]);
    const bodies = Array.from({ length: 20 }, (_, i) => `m${i}`);
    await Promise.all(bodies.map((body, i) => (i % 2 === 0 ? a : b)!.add(body)));
    const found = await b!.after(0, 100);
    expect(found.map(({ number }) => number)).toEqual(bodies.map((_, i) => i + 1));
    expect(found.map(({ body }) => body).toSorted()).toEqual(bodies.toSorted());
    expect(await a!.newest()).toBe(20);
    expect((await a!.after(17, 2)).map(({ number }) => number)).toEqual([18, 19]);
  });

  test('go beyond those that are kept, and the numbers go on', async () => {
    const messages = createDatabaseMessages(databases[0]!, 'few', 30);
    for (let i = 1; i <= 100; i++) await messages.add(`m${i}`);
    expect((await messages.after(0, 1000)).map(({ number }) => number)).toEqual(
      Array.from({ length: 30 }, (_, i) => 71 + i),
    );
    await messages.add('m101');
    expect(await messages.newest()).toBe(101);
  });
});
