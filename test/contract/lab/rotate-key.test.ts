import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSystemClock } from '#core/base/system-clock.ts';
import { labRotateKey } from '#core/cli/lab.ts';
import { createDatabaseVault } from '#core/lab/database-vault.ts';
import { rotateVaultKey } from '#core/lab/rotate-key.ts';
import { makeKey, openVaultKey, writeLock, type KeySource } from '#core/lab/vault-key.ts';
import { Database, openDatabase } from '#core/store/postgres/connection/connections.ts';
import { startLab, type Lab } from '../../helpers/lab/lab.ts';
import { hasPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { dataOf, RECORDS } from '../world.ts';

/* The key of a lab's secrets is changed, or lost (docs/lab.md, "Change the key"). */

describe.skipIf(!hasPostgres)('the key of a lab', () => {
  let postgres: Postgres;
  let folder: string;
  let lab: Lab;
  let first: string;
  let second: string;

  beforeAll(async () => {
    postgres = await sharedPostgres();
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-keys-'));
    [first, second] = [await keyFile('first.key'), await keyFile('second.key')];
  });
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(async () => {
    lab = await startLab(postgres, 0);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await lab.stop();
  });

  async function keyFile(name: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, randomBytes(32));
    return path;
  }

  const start = (file: string | null, passphrase: string | null = null) =>
    lab.start({ passphrase }, { keyFile: file });

  async function rotate(...args: readonly string[]): Promise<string> {
    const lines: string[] = [];
    const code = await labRotateKey(['--store', lab.url, ...args], {
      print: (line) => void lines.push(line),
      remark: () => {},
    });
    expect(code).toBe(0);
    return lines.join('\n');
  }

  /** A device and an API key, and what becomes of them at another service. */
  async function inUse(service: RunningService) {
    const project = await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Boiler room' });
    const path = `/v2/projects/${project.id}/devices`;
    const device = await dataOf(service, 'POST', path, { name: 'ESP32', source: 'http' });
    const { device_token: token } = device['metadata'] as { device_token: string };
    const made = await dataOf(service, 'POST', '/_local/v1/keys', { name: 'Grafana', permissions: ['read'] });
    const key = String(made['api_key']);
    return {
      devices: path,
      async at(other: RunningService) {
        const shown = await other.request('GET', `${path}/${device.id}`);
        return {
          stored: (await other.request('POST', '/integrations/http', { key: token, body: RECORDS })).status,
          key: (await other.request('GET', path, { key })).status,
          isTokenShown: shown.text.includes(token),
        };
      },
      token,
    };
  }

  const WELL = { stored: 200, key: 200, isTokenShown: true };

  test('is not changed while a service runs, which is named; then it is, with all that it opens', async () => {
    const before = await start(first);
    const used = await inUse(before);
    const running = rotate('--key-file', first, '--new-key-file', second);
    await expect(running).rejects.toMatchObject({ exitCode: 3 });
    await expect(running).rejects.toThrow(before.directory);
    const { api_key } = before.service;
    await before.service.close();
    expect(await rotate('--key-file', first, '--new-key-file', second)).toMatch(
      /^[3-9] secrets sealed with the new key/,
    );
    await expect(start(first)).rejects.toThrow('is not the key');
    await expect(rotate('--key-file', first, '--new-key-file', second)).rejects.toThrow('is not the key');
    const after = await start(second);
    expect(after.service.api_key).toBe(api_key);
    expect(await used.at(after)).toEqual(WELL);
  });

  test('becomes a passphrase, and a file again', async () => {
    const before = await start(first);
    const used = await inUse(before);
    await before.service.close();
    vi.stubEnv('FIELDBENCH_NEW_PASSPHRASE', 'open sesame');
    expect(await rotate('--key-file', first)).toContain('FIELDBENCH_PASSPHRASE');
    vi.stubEnv('FIELDBENCH_NEW_PASSPHRASE', undefined);
    const between = await start(null, 'open sesame');
    expect(await used.at(between)).toEqual(WELL);
    await between.service.close();
    vi.stubEnv('FIELDBENCH_PASSPHRASE', 'open sesame');
    await rotate('--new-key-file', second);
    expect(await used.at(await start(second))).toEqual(WELL);
  });

  test('is lost: devices and API keys go on, the services have another key and authority of their own', async () => {
    const before = await lab.start({ tls: true }, { keyFile: first });
    const authority = await readFile(String(before.service.ca_file), 'utf8');
    const used = await inUse(before);
    const running = rotate('--old-key-lost', '--new-key-file', second);
    await expect(running).rejects.toMatchObject({ exitCode: 3 });
    const { api_key } = before.service;
    await before.service.close();
    expect(await rotate('--old-key-lost', '--new-key-file', second)).toContain('secrets removed');
    const { directory } = before;
    const after = await lab.start({ tls: true, directory }, { keyFile: second });
    const other = await start(second);
    expect(await readFile(String(after.service.ca_file), 'utf8')).not.toBe(authority);
    expect(await used.at(after)).toEqual({ ...WELL, isTokenShown: false });
    const path = '/_local/v1/status';
    expect((await after.request('GET', path, { key: api_key })).status).toBe(401);
    expect(after.service.api_key).not.toBe(api_key);
    expect((await other.request('GET', path, { key: after.service.api_key })).status).toBe(200);
  });

  test('of another one in the database is told by a service that runs, and nothing is sealed with the old one', async () => {
    const service = await start(first);
    const used = await inUse(service);
    const database = await openDatabase({ url: lab.url });
    await writeLock(database, await makeKey({ file: second }));
    const before = await database.ask('SELECT name, sealed FROM secret ORDER BY name');
    const refused = await service.request('POST', used.devices, { body: { name: 'Other', source: 'http' } });
    expect(refused.envelope.message).toContain('sealed with another key by now');
    const tested = await dataOf(service, 'POST', '/_local/v1/secrets/test');
    expect(tested).toMatchObject({ is_well: false });
    expect(JSON.stringify(tested)).toContain('sealed with another key by now');
    const notes = async () => String((await dataOf(service, 'GET', '/_local/v1/status'))['notes']);
    await expect.poll(notes, { timeout: 20_000 }).toContain('sealed with another key by now');
    expect(service.logged.join('\n')).toContain('sealed with another key by now');
    expect(await database.ask('SELECT name, sealed FROM secret ORDER BY name')).toEqual(before);
    expect((await used.at(service)).stored).toBe(200);
    await database.close();
  });

  test('says how it is changed', async () => {
    await expect(rotate()).rejects.toThrow('needs what opens the secrets now');
    await expect(rotate('--key-file', first)).rejects.toThrow('FIELDBENCH_NEW_PASSPHRASE');
    await expect(rotate('--key-file', first, '--old-key-lost', '--new-key-file', second)).rejects.toThrow(
      'Leave one',
    );
    const empty = rotate('--key-file', first, '--new-key-file', second);
    await expect(empty).rejects.toThrow('no service has used it');
    await (await start(first)).service.close();
    await expect(rotate('--key-file', first, '--new-key-file', first)).rejects.toThrow('nothing was changed');
    const none = rotate('--key-file', first, '--new-key-file', join(folder, 'none.key'));
    await expect(none).rejects.toThrow(/--new-key-file .*none\.key is not there/);
    await expect(none).rejects.toMatchObject({ name: 'UsageError' });
  });

  test('cut off at any statement is the old one or the new one, and opens all secrets', async () => {
    const [from, to] = [{ file: first }, { file: second }] as const;
    const database = await openDatabase({ url: lab.url });
    const kept = createDatabaseVault(database, await openVaultKey(database, from));
    const ids = Array.from({ length: 1500 }, (_, i) => `k${i}`);
    await Promise.all(ids.map((id) => kept.set({ kind: 'api-key', id }, `text of ${id}`)));
    let isDone = false;
    let cuts = 0;
    for (; !isDone; cuts++) {
      isDone = await rotateCutBefore(cuts, { from, to, database });
      const key = await openVaultKey(database, isDone ? to : from);
      const texts = await createDatabaseVault(database, key).readKept(
        ids.map((id) => ({ kind: 'api-key', id }) as const),
      );
      expect(texts).toEqual(ids.map((id) => `text of ${id}`));
      await expect(openVaultKey(database, isDone ? from : to)).rejects.toThrow('is not the key');
    }
    // Of two pages of secrets: each read and sealed, the lock, and a few around them.
    expect(cuts).toBeGreaterThan(8);
    await database.close();
  });

  /** Ends the connection before statement n of a rotation, as a kill does. Resolves with whether it came to its end before. */
  async function rotateCutBefore(
    n: number,
    { from, to, database }: { from: KeySource; to: KeySource; database: Database },
  ): Promise<boolean> {
    let asked = 0;
    const rotating = new Database({
      url: lab.url,
      before: async () => {
        if (asked++ !== n) return;
        await database.ask(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
        throw new Cut();
      },
    });
    try {
      expect(await rotateVaultKey(rotating, from, to, createSystemClock())).toBe(1500);
      return true;
    } catch (error) {
      if (!(error instanceof Cut)) throw error;
      return false;
    } finally {
      await rotating.close();
    }
  }
});

class Cut extends Error {}
