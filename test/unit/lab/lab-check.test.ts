import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lab } from '#core/cli/lab.ts';
import { skewNote } from '#core/lab/server-settings.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../helpers/postgres.ts';

async function check(url: string): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const code = await lab(['check', '--store', url], (line) => void lines.push(line));
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
    for (const words of ['PostgreSQL 18', 'fsync on', 'version 1', 'no standby', 'Nothing is to be mended.'])
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

  test('says how it is called', async () => {
    await expect(lab([], () => {})).rejects.toThrow('lab takes "check", got nothing');
    await expect(lab(['check'], () => {})).rejects.toThrow('--store URL');
    await expect(check('postgres://u:secret@h/d')).rejects.toThrow('FIELDBENCH_STORE_PASSWORD');
  });
});

test('a clock that is more than a second off is told of, and by how much', () => {
  expect(skewNote(900)).toBeNull();
  expect(skewNote(-900)).toBeNull();
  expect(skewNote(2500)).toContain('2.5 s ahead of');
  expect(skewNote(-90_000)).toContain('90.0 s behind');
});
