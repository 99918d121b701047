import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseServeFlags } from '#core/cli/flags.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';

/* What an operator is given (deploy/) fits the tables that there are. */

const ROOT = join(import.meta.dirname, '../../..');
const read = (name: string) => readFile(join(ROOT, name), 'utf8');

/** The names in the lists of a script: '{a,b}'. */
const listed = (sql: string) =>
  [...sql.matchAll(/'\{([^}]*)\}'/g)].map(([, names = '']) => names.split(',').map((name) => name.trim()));

test.each([
  ['deploy/fieldbench.service', 1],
  ['deploy/compose.yaml', 2],
])('%s starts services as the command line takes it', async (file, services) => {
  const text = (await read(file)).replaceAll('\\\n', ' ');
  const lines = [...text.matchAll(/node \S*cli\.js serve (.*)$/gm)];
  expect(lines).toHaveLength(services);
  for (const [, flags = ''] of lines)
    expect(parseServeFlags(flags.trim().split(/\s+/))).toMatchObject({
      host: '0.0.0.0',
      store: expect.stringMatching(/^postgres:/),
      keyFile: expect.stringContaining('lab.key'),
    });
});

test('the secrets of the compose file are made for nobody else to read, by the commands that it names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  try {
    const commands = [...(await read('deploy/compose.yaml')).matchAll(/^# {3}(\(.*\))$/gm)].map(
      ([, line = '']) => line,
    );
    execFileSync('sh', ['-c', commands.join('\n')], { cwd: folder });
    expect((await readdir(folder)).toSorted()).toEqual(['.env', 'lab.key']);
    for (const name of ['.env', 'lab.key']) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'lab.key'))).size).toBe(32);
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe.skipIf(!hasPostgres)('the scripts for the database', () => {
  let postgres: Postgres;
  let database: Database;
  let tables: { readonly name: string; readonly lanes: boolean }[];
  beforeAll(async () => {
    postgres = await startPostgres();
    database = await openDatabase({ url: await postgres.database() });
    tables = [
      ...(await database.ask<{ name: string; lanes: boolean }>(
        `SELECT c.relname AS name, EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'lane') AS lanes
           FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = 'public'`,
        [],
      )),
    ];
  });
  afterAll(async () => {
    await database.close();
    await postgres.stop();
  });

  test('of Citus deal every table that has lanes by them, and keep every other one on the coordinator', async () => {
    const sql = await read('deploy/citus.sql');
    const [colocated = [], coordinated = []] = listed(sql);
    const withLanes = tables.filter(({ lanes }) => lanes).map(({ name }) => name);
    const others = tables.filter(({ lanes }) => !lanes).map(({ name }) => name);
    expect(sql).toContain("create_distributed_table('device_head', 'lane'");
    expect(sql).toContain('citus_add_local_table_to_metadata(name)');
    expect(['device_head', ...colocated].toSorted()).toEqual(withLanes.toSorted());
    expect(coordinated.toSorted()).toEqual(others.toSorted());
  });

  test('of PostgreSQL run, again and again', async () => {
    const sql = await read('deploy/postgres.sql');
    for (let round = 0; round < 2; round++) await database.ask(sql);
    const [block] = await database.ask(
      "SELECT attstorage AS how FROM pg_attribute WHERE attrelid = 'block'::regclass AND attname = 'bytes'",
      [],
    );
    expect(block).toEqual({ how: 'e' });
  });
});
