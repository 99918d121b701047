import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { startLab, type Lab } from '../../helpers/lab/lab.ts';
import { hasPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../../contract/world.ts';

/* A backup is restored into the same name, under services that run. */

describe.skipIf(!hasPostgres)('a database that is restored while services run', () => {
  let postgres: Postgres;
  let admin: Database;
  let lab: Lab;
  let a: RunningService;
  let b: RunningService;
  let name: string;
  beforeAll(async () => {
    postgres = await sharedPostgres();
    admin = await openDatabase({ url: postgres.url() });
    lab = await startLab(postgres, 2);
    [a, b] = lab.services as [RunningService, RunningService];
    name = new URL(lab.url).pathname.slice(1);
  });
  afterAll(async () => {
    await lab.stop();
    await admin.close();
  });

  /** A copy of it as of one moment, in which nobody is connected. */
  async function copy(from: string, to: string): Promise<void> {
    await admin.ask(`ALTER DATABASE ${from} ALLOW_CONNECTIONS false`);
    await admin.ask('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [from]);
    await admin.ask(`CREATE DATABASE ${to} TEMPLATE ${from}`);
    await admin.ask(`ALTER DATABASE ${from} ALLOW_CONNECTIONS true`);
  }

  test('is found as it is: a key that is revoked after it is refused by all', async () => {
    const made = await dataOf(a, 'POST', '/_local/v1/keys', { name: 'rig', permissions: ['read'] });
    const key = String(made['api_key']);
    await copy(name, `${name}_backup`);
    await dataOf(a, 'POST', '/_local/v1/projects', { name: 'After the backup' });
    const ask = async (service: RunningService) =>
      (await service.request('GET', '/v2/projects', { key })).status;
    expect(await ask(a)).toBe(200);

    await admin.ask(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.ask(`CREATE DATABASE ${name} TEMPLATE ${name}_backup`);
    // As many changes as were lost: the version is the one that A knows.
    expect((await b.request('DELETE', `/_local/v1/keys/${made.id}`)).status).toBe(200);
    for (let i = 0; i < 5; i++) expect(await ask(a)).toBe(401);
    expect(await ask(b)).toBe(401);
    const { envelope } = await a.request('GET', '/v2/projects');
    expect(envelope.data).toEqual([]);
  });
});
