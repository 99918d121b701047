import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSystemClock } from '#core/base/system-clock.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { openDatabaseMetadata } from '#core/store/postgres/metadata/database-metadata.ts';
import { openPostgresRecords } from '#core/store/postgres/records.ts';
import { LATEST, migrate, readSchemaVersion } from '#core/store/postgres/schema/migrate.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../../helpers/postgres/postgres.ts';
import { aFunction, anAlarm } from '../../../suites/metadata/rows.ts';
import { record } from '../../../suites/record-store/harness.ts';

/** Numbered from 0. */
const LANES_OF_VERSION_4 = 32;

describe.skipIf(!hasPostgres)('a database', () => {
  let server: Postgres;
  let url: string;
  const open: Database[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    return () => server.stop();
  });
  beforeEach(async () => {
    url = await server.database();
  });
  afterAll(() => Promise.all(open.map((database) => database.close())));

  async function connect(options: { patienceMs?: number; url?: string } = {}): Promise<Database> {
    const database = await openDatabase({ url, ...options });
    open.push(database);
    return database;
  }

  test('answers what it is asked, in the order asked, with numbers and bytes as they are', async () => {
    const database = await connect();
    const [[first], [second]] = (await database.askAll([
      { sql: 'SELECT $1::bigint AS number, $2::bytea AS bytes', params: [2 ** 52, Buffer.from([0, 255])] },
      { sql: 'SELECT $1::bigint[] AS numbers', params: [[1, 2, 3]] },
    ])) as [[Record<string, unknown>], [Record<string, unknown>]];
    expect(first).toEqual({ number: 2 ** 52, bytes: Buffer.from([0, 255]) });
    expect(second).toEqual({ numbers: [1, 2, 3] });
  });

  test('keeps all of a change, or nothing of it', async () => {
    const database = await connect();
    await database.ask('CREATE TABLE numbers (n int PRIMARY KEY)');
    await database.change((transaction) => transaction.ask('INSERT INTO numbers VALUES ($1)', [1]));
    const failed = database.change(async (transaction) => {
      await transaction.ask('INSERT INTO numbers VALUES ($1)', [2]);
      throw new RangeError('changed my mind');
    });
    await expect(failed).rejects.toThrow(new RangeError('changed my mind'));
    expect(await database.ask('SELECT n FROM numbers')).toEqual([{ n: 1 }]);
  });

  test('makes a change again where another one was first', async () => {
    const database = await connect();
    await database.ask('CREATE TABLE counter (n int)');
    await database.ask('INSERT INTO counter VALUES (0)');
    const add = () =>
      database.change(
        async (transaction) => {
          const [row] = await transaction.ask<{ n: number }>('SELECT n FROM counter', []);
          await transaction.ask('UPDATE counter SET n = $1', [(row?.n ?? 0) + 1]);
        },
        { isolation: 'SERIALIZABLE' },
      );
    await Promise.all(Array.from({ length: 10 }, add));
    expect(await database.ask('SELECT n FROM counter')).toEqual([{ n: 10 }]);
  });

  test('is found again after it was killed', async () => {
    const database = await connect();
    await database.ask('CREATE TABLE numbers (n int PRIMARY KEY)');
    await database.change((transaction) => transaction.ask('INSERT INTO numbers VALUES ($1)', [1]));
    await server.kill();
    const [rows] = await Promise.all([database.ask('SELECT n FROM numbers', []), server.start()]);
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('that is not there is unreachable, and is named without a password', async () => {
    const nowhere = openDatabase({
      url: 'postgres://me@127.0.0.1:1/lab',
      password: 'secret',
      patienceMs: 200,
    });
    await expect(nowhere).rejects.toMatchObject({
      code: 'unreachable',
      message:
        'The database lab at 127.0.0.1:1 does not answer. Nothing stored before is lost; try again when it does.',
    });
  });

  test('of no such name, and a replica, say so', async () => {
    await expect(openDatabase({ url: server.url('nothing') })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('There is no database nothing at 127.0.0.1') as string,
    });
    const database = await connect();
    const name = url.slice(url.lastIndexOf('/') + 1);
    await database.ask(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await expect(openDatabase({ url })).rejects.toMatchObject({ code: 'read-only' });
  });

  test('an address that holds a password is refused, and not repeated', async () => {
    const refused = openDatabase({ url: 'postgres://me:hunter2@host/lab' });
    await expect(refused).rejects.toMatchObject({
      code: 'bad-flag',
      message: expect.not.stringContaining('hunter2') as string,
    });
  });

  test('tells other processes, and says when something may have been missed', async () => {
    const [speaker, listener] = [await connect(), await connect()];
    const heard = Promise.withResolvers<string>();
    const missed = Promise.withResolvers<void>();
    await listener.listen('events', heard.resolve, missed.resolve);
    await speaker.ask("SELECT pg_notify('events', 'hello')");
    expect(await heard.promise).toBe('hello');
    await speaker.ask(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    );
    await missed.promise;
  });

  test('of an older version is brought to the latest one, with what it holds', async () => {
    const before = await connect();
    await before.ask('DELETE FROM schema_version');
    const dealt = await migrate(before, { lanes: LANES_OF_VERSION_4 });
    const old = openPostgresRecords(before, dealt);
    await old.append('d', [record(1)]);
    await old.close();
    await before.ask('ALTER TABLE device_head DROP COLUMN revision');
    await before.ask('ALTER TABLE schema_version DROP COLUMN oldest_writer');
    await before.ask('UPDATE schema_version SET version = 1');
    expect(await readSchemaVersion(before)).toBeNull();
    const after = await connect();
    const layout = await migrate(after);
    expect(layout).toEqual(dealt);
    const store = openPostgresRecords(after, layout);
    const batch = await store.batch('d');
    await batch.add([record(2)]);
    expect(await batch.commit(await store.revision('d'))).toBe(true);
    expect(await store.count('d')).toBe(2);
    // Those of version 9 and before would work against it.
    expect(await readSchemaVersion(after)).toEqual({ version: LATEST, oldest_writer: 10 });
    const lanes = await after.ask(
      'SELECT DISTINCT lane FROM device_head UNION SELECT DISTINCT lane FROM segment',
    );
    expect(lanes).toEqual([{ lane: crc32('d') % LANES_OF_VERSION_4 }]);
    await store.close();
  });

  test('of version 9 finds alarms by their rule, brought up by two services at once', async () => {
    const [one, other] = [await connect(), await connect()];
    await migrate(one);
    const clock = createSystemClock();
    const openMetadata = () => openDatabaseMetadata({ database: one, clock, chance: systemRandom });
    const before = await openMetadata();
    await before.change((tables) => tables.insert('functions', aFunction('f', 'p', 'd')));
    await before.close();
    // As version 9 left it.
    await one.ask('ALTER TABLE metadata_row DROP COLUMN function_id');
    await one.ask('UPDATE schema_version SET version = 9, oldest_writer = 9');
    await Promise.all([migrate(one), migrate(other)]);
    expect(await readSchemaVersion(one)).toEqual({ version: LATEST, oldest_writer: 10 });
    const after = await openMetadata();
    const of = { project_id: 'p', device_id: 'd', function_id: 'f' };
    await after.change(async (tables) => {
      await tables.insert('alarms', anAlarm('a', of));
      await tables.insert('alarms', anAlarm('b', { ...of, function_id: 'g' }));
    });
    const found = await after.read(async (tables) => [
      await tables.list('alarms', { function_id: 'f' }),
      await tables.list('functions', { device_id: 'd' }),
    ]);
    expect(found.map((rows) => rows.map(({ id }) => id))).toEqual([['a'], ['f']]);
    await after.close();
  });

  test('that a newer version used is refused; several bring one to the latest version at once', async () => {
    const admin = await connect({ url: server.url() });
    await admin.ask('CREATE DATABASE fresh');
    const databases = await Promise.all([1, 2, 3].map(() => connect({ url: server.url('fresh') })));
    const layouts = await Promise.all(databases.map((database) => migrate(database, { lanes: 7 })));
    expect(layouts.map(({ lanes }) => lanes)).toEqual([7, 7, 7]);
    const [database] = databases;
    await database?.ask('UPDATE schema_version SET version = 99');
    if (database) await expect(migrate(database)).rejects.toMatchObject({ code: 'newer-format' });
  });
});
