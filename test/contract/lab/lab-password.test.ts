import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { labCheck } from '#core/cli/lab.ts';
import { explain } from '#core/base/errors.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { startLab, type Lab } from '../../helpers/lab/lab.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { dataOf, RECORDS } from '../world.ts';

/* The password of the database is changed while services run (docs/lab.md, "Change the password"). */

describe.skipIf(!hasPostgres)('a service whose database asks for a password', () => {
  let postgres: Postgres;
  let admin: Database;
  let lab: Lab;
  let service: RunningService;
  let token: string;
  let file: string;

  beforeAll(async () => {
    postgres = await startPostgres({ logging_collector: "'on'", log_filename: "'server.log'" });
    file = join(postgres.directory, 'store.password');
    lab = await startLab(postgres, 0);
    admin = await openDatabase({ url: lab.url, readers: 1 });
    await alter('first');
    await writeFile(file, 'first\n');
    const rules = join(postgres.directory, 'pg_hba.conf');
    await writeFile(rules, (await readFile(rules, 'utf8')).replaceAll(' trust', ' scram-sha-256'));
    await admin.ask('SELECT pg_reload_conf()');
    service = await lab.start({}, { password: { file } });
    const project = await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Boiler room' });
    const path = `/v2/projects/${project.id}/devices`;
    const device = await dataOf(service, 'POST', path, { name: 'ESP32', source: 'http' });
    ({ device_token: token } = device['metadata'] as { device_token: string });
  });
  beforeEach(async () => {
    await alter('first');
    await writeFile(file, 'first\n');
    await expect.poll(async () => (await send()).status, { timeout: 20_000 }).toBe(200);
  });
  afterAll(async () => {
    await lab.stop();
    await admin.close();
    await postgres.stop();
  });

  const alter = (password: string) => admin.ask(`ALTER ROLE fieldbench PASSWORD '${password}'`);

  const send = () => service.request('POST', '/integrations/http', { key: token, body: RECORDS });

  /** Ends all connections of the service: each that follows signs in anew. */
  const cut = () =>
    admin.ask(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );

  async function refusals(): Promise<number> {
    const log = await readFile(join(postgres.directory, 'log', 'server.log'), 'utf8');
    return log.split('password authentication failed').length - 1;
  }

  /** Resolves with how requests were answered that were sent while no login went well, until `mend` was done. */
  async function sentMeanwhile(mend: () => Promise<unknown>): Promise<readonly number[]> {
    const before = await refusals();
    await cut();
    const sent = Array.from({ length: 20 }, send);
    await expect.poll(refusals, { timeout: 20_000 }).toBeGreaterThan(before);
    await mend();
    return (await Promise.all(sent)).map(({ status }) => status);
  }

  const ALL_WELL = Array.from({ length: 20 }, () => 200);

  test('goes on without a failed request when the database has the new one first, and then its file', async () => {
    await alter('second');
    expect(await sentMeanwhile(() => writeFile(file, 'second\n'))).toEqual(ALL_WELL);
  });

  test('goes on without a failed request when its file has the new one first, and then the database', async () => {
    await writeFile(file, 'second');
    expect(await sentMeanwhile(() => alter('second'))).toEqual(ALL_WELL);
  });

  test('says what is wrong while no login goes well, and is up again by itself', async () => {
    await writeFile(file, 'wrong');
    await cut();
    const refused = await send();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused.envelope.message).toContain('refused the user or the password');
    expect(refused.envelope.message).toContain('--store-password-file');
    await writeFile(file, '');
    await expect.poll(async () => (await send()).envelope.message, { timeout: 20_000 }).toContain('is empty');
    await writeFile(file, 'first\n');
    await expect.poll(async () => (await send()).status, { timeout: 20_000 }).toBe(200);
  });

  const said = (asked: Promise<unknown>) => asked.then(() => 'nothing', explain);

  test.each([
    ['no password', null, 'asks for a password, and none was given'],
    ['an empty password', '', 'asks for a password, and none was given'],
    ['a wrong password', 'guessed', 'refused the user or the password'],
  ])('says the same of %s at the start and in "lab check"', async (_, password, words) => {
    if (password !== null) vi.stubEnv('FIELDBENCH_STORE_PASSWORD', password);
    const quiet = { print: () => {}, remark: () => {} };
    const checked = await said(Promise.resolve(labCheck(['--store', lab.url], quiet)));
    expect(checked).toContain(words);
    expect(checked).not.toContain('guessed');
    expect(await said(lab.start({}, { password }))).toBe(checked);
  });

  test('says the same of a file without a password at the start and in "lab check"', async () => {
    await writeFile(file, '\n');
    const quiet = { print: () => {}, remark: () => {} };
    const args = ['--store', lab.url, '--store-password-file', file];
    const checked = Promise.resolve(labCheck(args, quiet));
    await expect(checked).rejects.toMatchObject({ name: 'UsageError' });
    expect(await said(checked)).toContain('store.password" is empty');
    expect(await said(lab.start({}, { password: { file } }))).toBe(await said(checked));
    const missing = said(lab.start({}, { password: { file: `${file}.none` } }));
    expect(await missing).toContain('is not there');
  });
});
