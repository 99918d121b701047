import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { labCheck } from '#core/cli/lab.ts';
import { skewNote } from '#core/lab/server-settings.ts';
import { nobodyToWaitFor, standbyLine, standbyRemarks } from '#core/lab/standbys.ts';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import { LATEST } from '#core/store/postgres/schema/migrate.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';

async function check(url: string): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const code = await labCheck(['--store', url], {
    print: (line) => void lines.push(line),
    remark: () => {},
  });
  return { code, said: lines.join('\n') };
}

describe.skipIf(!hasPostgres)('fieldbench lab check', () => {
  let postgres: Postgres;
  const others: Postgres[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterEach(() => Promise.all(others.splice(0).map((other) => other.stop())));
  afterAll(() => postgres.stop());

  test('says how a database is, whether services have used it or not', async () => {
    const empty = await check(postgres.url());
    expect(empty.said).toContain('No service has used it yet.');
    const used = await check(await postgres.database());
    expect(used).toMatchObject({ code: 0 });
    for (const words of [
      'PostgreSQL 18',
      'fsync on',
      `version ${LATEST}`,
      'no standby',
      'At most 0 records of a device wait to be sealed',
      'The notes of changes take ',
      'Nothing is to be mended.',
    ])
      expect(used.said).toContain(words);
  });

  test('finds a server that does not keep what it acknowledges', async () => {
    const unsafe = await startPostgres({ fsync: 'off' });
    others.push(unsafe);
    const { code, said } = await check(unsafe.url());
    expect(code).toBe(1);
    expect(said).toContain('To mend: The database postgres at 127.0.0.1');
    expect(said).toContain('fsync = off');
  });

  test('finds upkeep that does not keep up', async () => {
    const url = await postgres.database();
    await change(
      url,
      `INSERT INTO service (id, seen) VALUES ('s', now());
       INSERT INTO upkeep (name, holder, until) VALUES ('notes', gen_random_uuid(), now() - interval '3 hours');
       INSERT INTO device_head (lane, device_id, epoch, tail_rows) VALUES (0, 'd', 1, 9000)`,
    );
    const { code, said } = await check(url);
    expect(code).toBe(1);
    expect(said).toContain('To mend: 9000 records of a device wait to be sealed');
    expect(said).toContain('To mend: The notes of changes were not emptied for two hours');
  });

  test('finds a database that a newer version has used', async () => {
    const url = await postgres.database();
    await change(url, 'UPDATE schema_version SET version = 1000');
    const { code, said } = await check(url);
    expect(code).toBe(1);
    expect(said).toContain('To mend: The database');
    expect(said).toContain('written by a newer Fieldbench');
  });

  test('finds that nothing can be stored where every change waits for a standby that is not there', async () => {
    const alone = await startPostgres({ synchronous_standby_names: "'b'" });
    others.push(alone);
    const { code, said } = await check(alone.url());
    expect(code).toBe(1);
    expect(said).toContain("synchronous_standby_names = 'b'), and none is connected: nothing can be stored");
  });

  test('is refused by a replica, and by what is not there, each with its own sentence and kind', async () => {
    const url = await postgres.database();
    await change(
      postgres.url(),
      `ALTER DATABASE ${url.split('/').at(-1)} SET default_transaction_read_only = on`,
    );
    await expect(check(url)).rejects.toThrow('it is a read-only replica');
    const missing = check(postgres.url('nobody_made_it'));
    await expect(missing).rejects.toMatchObject({ name: 'UnreachableError' });
    await expect(missing).rejects.toThrow('There is no database nobody_made_it');
    await expect(check(`${url}?sslmode=prefer`)).rejects.toMatchObject({ name: 'UsageError' });
  });

  test('says how it is called', async () => {
    await expect(labCheck([], { print: () => {}, remark: () => {} })).rejects.toThrow('--store URL');
    await expect(check('postgres://u:secret@h/d')).rejects.toThrow('FIELDBENCH_STORE_PASSWORD');
  });
});

async function change(url: string, sql: string): Promise<void> {
  const database = await openDatabase({ url });
  await database.ask(sql);
  await database.close();
}

describe('what is said of standbys', () => {
  const settings = {
    version: '18',
    fsync: 'on',
    synchronous_commit: 'on',
    synchronous_standby_names: 'b',
    full_page_writes: 'on',
    data_checksums: 'on',
  };
  const standby = { name: 'b', sync: 'sync', lag: 100 };

  test('nothing where one is synchronous and follows', () => {
    expect(standbyLine(standby)).toBe('  b: sync, 100 bytes behind.');
    expect(nobodyToWaitFor(settings, [standby])).toBeNull();
    expect(standbyRemarks(settings, [standby])).toEqual([]);
  });

  test('that it lags, that it is not waited for, and that the user may not see it', () => {
    const remarks = (changed: Partial<typeof settings>, lag: number | null, sync: string | null = 'sync') =>
      standbyRemarks({ ...settings, ...changed }, [{ ...standby, lag, sync }]).join('\n');
    expect(remarks({}, 1e9)).toContain('b is 1,000,000,000 bytes behind');
    expect(remarks({ synchronous_standby_names: '' }, 0, 'async')).toContain('No standby is synchronous');
    for (const how of ['local', 'remote_write'])
      expect(remarks({ synchronous_commit: how }, 0)).toContain(`synchronous_commit is ${how}`);
    expect(remarks({}, null, null)).toContain('GRANT pg_read_all_stats');
    expect(nobodyToWaitFor(settings, [{ ...standby, sync: null }])).toBeNull();
    expect(nobodyToWaitFor(settings, [{ ...standby, sync: 'async' }])).toContain('none is connected');
    expect(nobodyToWaitFor({ ...settings, synchronous_commit: 'local' }, [])).toBeNull();
  });
});

test('a clock that is more than a second off is told of, and by how much', () => {
  expect(skewNote(900)).toBeNull();
  expect(skewNote(-900)).toBeNull();
  expect(skewNote(2500)).toContain('2.5 s ahead of');
  expect(skewNote(-90_000)).toContain('90.0 s behind');
});
