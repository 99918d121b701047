import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { hasPostgres, startPostgres, type Postgres } from '../helpers/postgres/postgres.ts';
import { record } from '../suites/record-store/harness.ts';
import { openRecords } from '../unit/store/postgres/open-records.ts';

/* A change that the primary has on its disk, and its synchronous standby has not. */

describe.skipIf(!hasPostgres)('a primary whose standby is away', () => {
  const opened: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });

  async function waitFor(server: Postgres, standby: string): Promise<void> {
    const admin = await openDatabase({ url: server.url() });
    await admin.ask(`ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
    await admin.ask('SELECT pg_reload_conf()', []);
    await admin.close();
  }

  const waiting = async (database: Database) =>
    (await database.ask("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")).length;

  test('has not stored what it would lose with its disk, also when it was killed and has it', async () => {
    const server = await startPostgres();
    opened.push(() => server.stop());
    const url = await server.database();
    const records = await openRecords(url, {}, { patienceMs: 8000 });
    opened.push(() => records.close());
    const { store } = records;
    // Makes the device, so that all there is to do later is one change.
    await store.append('d', [record(0, { n: 0 })]);
    await waitFor(server, 'away');
    const looking = await openDatabase({ url: server.url() });
    opened.push(() => looking.close());
    // The server takes a setting up some time after it was told to: a change of somebody else waits from then on.
    const other = await openDatabase({ url: server.url() });
    opened.push(() => other.close());
    const changes = async () => {
      for (;;) await other.ask("SELECT pg_logical_emit_message(true, 'change', '')");
    };
    const changing = changes().catch(() => 'cut off');
    await expect.poll(() => waiting(looking)).toBe(1);
    const sent = store.append('d', [record(1, { n: 1 })], { receipt: 'r1' });
    const told = sent.then(
      () => 'stored',
      (error: unknown) => (error as { code?: string }).code,
    );
    await expect.poll(() => waiting(looking)).toBe(2);
    await server.kill();
    expect(await changing).toBe('cut off');
    await server.start();
    expect(await told).toBe('unreachable');
    await waitFor(server, '');
    await expect
      .poll(() =>
        store.append('d', [record(1, { n: 1 })], { receipt: 'r1' }).then(
          () => store.count('d'),
          () => null,
        ),
      )
      .toBe(2);
  });
});
