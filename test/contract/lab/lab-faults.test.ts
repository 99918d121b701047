import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import { startLab, type Lab } from '../../helpers/lab/lab.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { dataOf, RECORDS } from '../world.ts';

/* What is said where the database is not as it should be, at the start and later. */

describe.skipIf(!hasPostgres)('a service over a database', () => {
  const opened: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.stop();
  });

  async function server(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
    const postgres = await startPostgres(settings);
    opened.push(postgres);
    return postgres;
  }

  async function labOn(postgres: Postgres): Promise<Lab> {
    const lab = await startLab(postgres, 0);
    opened.push(lab);
    return lab;
  }

  const refusal = (lab: Lab, store: { url?: string; password?: string } = {}): Promise<string> =>
    lab.start({}, store).then(
      () => 'it started',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );

  test('does not start over one that does not answer, or is not there', async () => {
    const postgres = await server();
    const lab = await labOn(postgres);
    expect(await refusal(lab, { url: postgres.url('nobody_made_it') })).toContain('There is no database');
    expect(await refusal(lab, { url: 'postgres://u@127.0.0.1:1/d' })).toContain('does not answer');
  });

  test('does not start with a wrong password, and never says it', async () => {
    const postgres = await server();
    const lab = await labOn(postgres);
    const admin = await openDatabase({ url: postgres.url() });
    await admin.ask("ALTER ROLE fieldbench PASSWORD 'right'");
    await admin.close();
    const rules = join(postgres.directory, 'pg_hba.conf');
    await writeFile(rules, (await readFile(rules, 'utf8')).replaceAll(' trust', ' scram-sha-256'));
    reload(postgres);
    expect(await refusal(lab)).toContain('FIELDBENCH_STORE_PASSWORD');
    const said = await refusal(lab, { password: 'guessed' });
    expect(said).toContain('FIELDBENCH_STORE_PASSWORD');
    expect(said).not.toContain('guessed');
    await expect(lab.start({}, { password: 'right' })).resolves.toBeDefined();
  });

  test('does not start over one that a newer version has used', async () => {
    const postgres = await server();
    const lab = await labOn(postgres);
    const database = await openDatabase({ url: lab.url });
    await database.ask('UPDATE schema_version SET version = 1000');
    await database.close();
    expect(await refusal(lab)).toContain('written by a newer Fieldbench');
  });

  test('does not start over one that forgets what it acknowledged', async () => {
    const lab = await labOn(await server({ fsync: 'off' }));
    expect(await refusal(lab)).toContain('fsync = off');
    const other = await labOn(await server({ synchronous_commit: 'off' }));
    expect(await refusal(other)).toContain('synchronous_commit = off');
  });

  test('stores nothing more once its database forgets what it acknowledged, and goes on when that is mended', async () => {
    const postgres = await server();
    const { service, send, count } = await boilerRoom(await labOn(postgres));
    expect((await send()).status).toBe(200);
    const set = async (line: string) => {
      await appendFile(join(postgres.directory, 'postgresql.conf'), `${line}\n`);
      reload(postgres);
    };
    await set('fsync = off');
    const refused = async () => (await send()).envelope.message;
    await expect.poll(refused, { timeout: 20_000 }).toContain('runs with fsync = off');
    const before = await count();
    const later = await send();
    expect(later.status).toBe(503);
    expect(later.headers.get('retry-after')).toMatch(/^\d+$/);
    const status = await dataOf(service, 'GET', '/_local/v1/status');
    expect(JSON.stringify(status['notes'])).toContain('Set fsync = on there');
    await set('fsync = on');
    await expect.poll(async () => (await send()).status, { timeout: 20_000 }).toBe(200);
    expect(await count()).toBe(before + 3);
  });

  test('stores nothing more once a newer version has made tables that it must not write to, and reads on', async () => {
    const lab = await labOn(await server());
    const { service, device, send, count } = await boilerRoom(lab);
    expect((await send()).status).toBe(200);
    const database = await openDatabase({ url: lab.url });
    const notes = async () => String((await dataOf(service, 'GET', '/_local/v1/status'))['notes']);
    await database.ask('UPDATE schema_version SET version = 1000');
    await expect.poll(notes, { timeout: 20_000 }).toContain('Update this service, too');
    expect((await send()).status).toBe(200);
    await database.ask('UPDATE schema_version SET oldest_writer = 999');
    const refused = async () => (await send()).envelope.message;
    await expect.poll(refused, { timeout: 20_000 }).toContain('from version 999 on');
    const before = await count();
    const later = await send();
    expect(later.status).toBe(503);
    expect((await service.request('PUT', device, { body: { name: 'Other' } })).status).not.toBe(200);
    expect(await notes()).toContain('it stores nothing more. Update this service.');
    expect(service.logged.filter((line) => line.includes('from version 999 on'))).not.toHaveLength(0);
    expect(await count()).toBe(before);
    expect(await refusal(lab)).toContain('written by a newer Fieldbench');
    // As of a backup from before the tables knew it.
    await database.ask('ALTER TABLE schema_version DROP COLUMN oldest_writer');
    await expect.poll(refused, { timeout: 20_000 }).toContain('tables of an older Fieldbench');
    await database.close();
  });

  test('does not start over a replica that takes no changes', async () => {
    const postgres = await server();
    const lab = await labOn(postgres);
    await shutDown(postgres);
    await appendFile(join(postgres.directory, 'standby.signal'), '');
    // It never is what the helper waits for: one that takes changes.
    postgres.start().catch(() => undefined);
    expect(await refusal(lab)).toContain('read-only replica');
  });

  test('says what is wrong while its database is away, loses nothing, and is up again by itself', async () => {
    const postgres = await server();
    const { service, device, send, count } = await boilerRoom(await labOn(postgres));
    expect((await send()).status).toBe(200);
    await postgres.kill();
    const away = await service.request('GET', device);
    expect(away.status).toBe(500);
    expect(away.envelope).toMatchObject({ success: false });
    expect(away.envelope.message).toContain('does not answer');
    // The statuses of /v2 have none that says "later"; beyond it a balancer, a push and a client are told so.
    const local = await service.request('GET', '/_local/v1/keys');
    expect([local.status, (await send()).status]).toEqual([503, 503]);
    expect(local.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await readiness(service)).toEqual([503, expect.stringContaining('does not answer')]);
    // One stack for all of it, under the id that each answer has.
    const id = /\(error (.*)\)/.exec(away.envelope.message)?.[1] ?? 'none';
    expect(local.envelope.message).toContain(id);
    expect(service.logged.filter((line) => line.includes(id))).toHaveLength(1);
    await postgres.start();
    const answer = async () => (await service.request('GET', device)).status;
    await expect.poll(answer, { timeout: 20_000 }).toBe(200);
    expect(await count()).toBe(3);
    expect(await readiness(service)).toEqual([200, 'Ready.']);
  });
});

/** What a balancer is told. */
async function readiness(service: RunningService): Promise<[status: number, message: string]> {
  const { status, envelope } = await service.request('GET', '/readyz', { key: null });
  return [status, envelope.message];
}

/** A service with a device, which sends three records each time. */
async function boilerRoom(lab: Lab) {
  const service = await lab.start();
  const project = await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Boiler room' });
  const path = `/v2/projects/${project.id}/devices`;
  const made = await dataOf(service, 'POST', path, { name: 'ESP32', source: 'http' });
  const { device_token: key } = made['metadata'] as { device_token: string };
  const device = `${path}/${made.id}`;
  return {
    service,
    /** Its path. */
    device,
    send: () => service.request('POST', '/integrations/http', { key, body: RECORDS }),
    count: async () => {
      const page = await service.request('GET', `${device}/data?page=1&limit=10&range=all`);
      return Number(page.headers.get('x-total-count'));
    },
  };
}

/** The rules of who may sign in are read again. */
function reload(postgres: Postgres): void {
  if (postgres.pid !== null) process.kill(postgres.pid, 'SIGHUP');
}

/** In good order, which a replica begins from. Resolves when it has ended. */
async function shutDown({ pid }: Postgres): Promise<void> {
  if (pid === null) return;
  process.kill(pid, 'SIGINT');
  await expect.poll(() => isThere(pid), { timeout: 20_000 }).toBe(false);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
