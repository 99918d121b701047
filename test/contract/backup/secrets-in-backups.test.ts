import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VaultError } from '#core/base/errors.ts';
import { openFolder } from '#core/folder/open-folder.ts';
import type { BackendOptions } from '#core/service/open-backend.ts';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';
import {
  altered,
  answerTo,
  backupOf,
  backupWithSecrets,
  membersOf,
  refused,
  restored,
  secretsIn,
} from './backups.ts';

/* Device tokens and API keys in a backup, encrypted with a passphrase (docs/backup.md, "The secrets"). */

/** With what an address, a header or a JSON text writes in its own way. */
const PASSPHRASE = 'correct horse, 100 % "grün"';

let service: RunningService;
let world: World;
/** Another installation, with nothing in it. */
let other: RunningService;

beforeEach(async () => {
  [service, other] = [await runService({ vault: 'file' }), await runService({ vault: 'memory' })];
  world = await createWorld(service);
});
afterEach(async () => {
  await service.stop();
  await other.stop();
});

const deviceAt = ({ project_id, device_id }: Pick<World, 'project_id' | 'device_id'> = world) =>
  `/v2/projects/${project_id}/devices/${device_id}`;

/** The token as it is shown; empty where the vault lacks it. */
async function tokenAt(at: RunningService, path = deviceAt()): Promise<string> {
  const device = await dataOf(at, 'GET', path);
  return (device['device_credentials'] as { device_token: string }).device_token;
}

const manifestOf = async (file: Buffer) =>
  JSON.parse((await membersOf(file)).get('manifest.json')?.toString() ?? '') as {
    readonly secrets?: number;
    readonly left_out: readonly string[];
  };

describe.runIf(inFolder)('a backup with secrets', () => {
  test('brings tokens and API keys to another installation, which shows them', async () => {
    const file = await backupWithSecrets(service, PASSPHRASE);
    const { secrets = 0, left_out } = await manifestOf(file);
    expect(left_out.join()).not.toMatch(/secret/);
    expect((await manifestOf(await backupOf(service))).left_out.join()).toMatch(/secrets: tokens/);
    expect(file.includes(world.device_token)).toBe(false);
    const found = { new: secrets, same: 0, differ: 0 };
    expect(await restored(other, file, '?dry_run=true', PASSPHRASE)).toMatchObject({ secrets: found });
    expect(await restored(other, file, '', PASSPHRASE)).toMatchObject({
      records: { new: 3 },
      secrets: found,
    });
    expect(await tokenAt(other)).toBe(world.device_token);
    const kept = await secretsIn(await backupWithSecrets(other, 'another'), 'another');
    expect(kept).toEqual(await secretsIn(file, PASSPHRASE));
    // The device, its API keys, and none of what was deleted or is the service's own.
    expect(kept.size).toBe(secrets);
    expect([...kept.keys()]).toEqual(expect.arrayContaining([world.device_id, world.key_id]));
    expect([...kept.values()]).not.toContain(service.service.api_key);
    const again = await restored(other, file, '', PASSPHRASE);
    expect(again).toMatchObject({ secrets: { new: 0, same: secrets, differ: 0 } });
  });

  test('leaves them out without the passphrase, says so, and the next restore brings them', async () => {
    const file = await backupWithSecrets(service, PASSPHRASE);
    expect(await restored(other, file)).toMatchObject({ devices: { new: 1 }, secrets: null });
    expect(await tokenAt(other)).toBe('');
    const body = { temperature: 23 };
    expect(
      (await other.request('POST', '/integrations/http', { key: world.device_token, body })).status,
    ).toBe(200);
    const { devices, secrets } = await restored(other, file, '', PASSPHRASE);
    expect([devices.new, secrets?.differ]).toEqual([0, 0]);
    expect(await tokenAt(other)).toBe(world.device_token);
  });

  test('with a wrong passphrase is refused before anything is stored', async () => {
    const file = await backupWithSecrets(service, PASSPHRASE);
    for (const query of ['?dry_run=true', '', '?replace=true'])
      expect(await refused(other, file, query, 'correct horse')).toMatch(
        /^passphrase must be the one of the backup: .* nothing was restored$/,
      );
    expect(await dataOf(other, 'GET', '/_local/v1/status')).toMatchObject({
      counts: { projects: 0, devices: 0 },
    });
    expect(other.logged).toEqual([]);
  });

  test('that was altered is refused, though all of its digests are right', async () => {
    const file = await backupWithSecrets(service, PASSPHRASE);
    const shortened = await altered(file, 'secrets.enc', (bytes) => {
      return `${bytes.toString().trimEnd().split('\n').slice(0, -1).join('\n')}\n`;
    });
    expect(await refused(other, shortened, '', PASSPHRASE)).toMatch(
      /^The backup cannot be read: "secrets\.enc, line \d+", it was altered$/,
    );
    const none = await altered(file, 'secrets.enc', () => '{"version":1}\n');
    expect(await refused(other, none, '', PASSPHRASE)).toMatch(/"secrets\.enc, line 1", opener/);
    // Who does not ask for them is not kept from the rest.
    expect(await restored(other, none)).toMatchObject({ records: { new: 3 }, secrets: null });
    const damaged = Buffer.from(file);
    const at = damaged.indexOf('"nonce"');
    damaged[at + 12] = damaged[at + 12]! ^ 1;
    expect(await refused(other, damaged)).toMatch(/^The backup is damaged: "secrets\.enc"/);
  });

  test('of a project or a device has the token of that alone', async () => {
    const made = await dataOf(service, 'POST', `/v2/projects/${world.other_project_id}/devices`, {
      name: 'Roof',
      source: 'http',
    });
    const { device_token } = made['metadata'] as { device_token: string };
    const roof = await backupWithSecrets(service, PASSPHRASE, { project_id: world.other_project_id });
    expect(await secretsIn(roof, PASSPHRASE)).toEqual(new Map([[made.id, device_token]]));
    const { device_id } = world;
    const one = await backupWithSecrets(service, PASSPHRASE, { device_id });
    expect(await secretsIn(one, PASSPHRASE)).toEqual(new Map([[device_id, world.device_token]]));
    // And so has a part of a larger one.
    const all = await backupWithSecrets(service, PASSPHRASE);
    const project = `?project_id=${world.other_project_id}`;
    expect(await restored(other, all, project, PASSPHRASE)).toMatchObject({
      secrets: { new: 1, same: 0, differ: 0 },
    });
    expect(await secretsIn(await backupWithSecrets(other, 'x'), 'x')).toEqual(
      new Map([[made.id, device_token]]),
    );
  });

  test('replaces no token that was renewed since, and brings no key that was revoked', async () => {
    const file = await backupWithSecrets(service, PASSPHRASE);
    const { secrets = 0 } = await manifestOf(file);
    await dataOf(service, 'DELETE', `/_local/v1/keys/${world.key_id}`);
    const renewed = await dataOf(service, 'POST', `/_local/v1${deviceAt().slice(3)}/token`, {});
    const found = { new: 0, same: secrets - 2, differ: 2 };
    for (const query of ['', '?replace=true'])
      expect(await restored(service, file, query, PASSPHRASE)).toMatchObject({ secrets: found });
    expect(await tokenAt(service)).toBe(renewed['device_token']);
    const now = await secretsIn(await backupWithSecrets(service, 'x'), 'x');
    expect(now.has(world.key_id)).toBe(false);
    expect(now.get(world.device_id)).toBe(renewed['device_token']);
  });

  test('takes what the vault has lost along in no backup, and gives it back from one', async () => {
    const file = await backupWithSecrets(service, PASSPHRASE);
    const plain = await backupOf(service);
    await restored(other, plain);
    expect((await secretsIn(await backupWithSecrets(other, 'x'), 'x')).size).toBe(0);
    expect(await restored(other, file, `?device_id=${world.device_id}`, PASSPHRASE)).toMatchObject({
      projects: { new: 0, same: 1 },
      secrets: { new: 1, same: 0, differ: 0 },
    });
    expect(await tokenAt(other)).toBe(world.device_token);
  });

  test('says where the vault takes none, though all else came back, and the next restore brings them', async () => {
    let fails = true;
    const open = async (options: BackendOptions) => {
      const backend = await openFolder(options);
      const set = backend.vault.set.bind(backend.vault);
      backend.vault.set = (ref, secret) =>
        fails && ref.kind === 'device-token'
          ? Promise.reject(new VaultError('io', 'The vault could not be written. The disk is full.'))
          : set(ref, secret);
      return backend;
    };
    const third = await runService({ vault: 'memory' }, { open });
    const file = await backupWithSecrets(service, PASSPHRASE);
    const { status, envelope } = await answerTo(third, file, '', PASSPHRASE);
    expect(status).toBe(500);
    expect(envelope.message).toMatch(
      /came back, but not all of its secrets could be kept: The vault could not be written\. The disk is full\. Restore it once more/,
    );
    expect(await dataOf(third, 'GET', `/_local/v1${deviceAt().slice(3)}/summary`)).toMatchObject({
      records: 3,
    });
    expect(await tokenAt(third)).toBe('');
    fails = false;
    expect(await restored(third, file, '', PASSPHRASE)).toMatchObject({ records: { new: 0, same: 3 } });
    expect(await tokenAt(third)).toBe(world.device_token);
    await third.stop();
  });
});

describe.runIf(inFolder)('the passphrase', () => {
  test('is shown and kept nowhere, however wrongly it is sent', async () => {
    const file = await backupWithSecrets(service, PASSPHRASE);
    await restored(service, file, '', PASSPHRASE);
    const plain = 'correcthorse';
    const raw = (text: string) => ({ raw: { type: 'application/json', bytes: text } });
    const answers = [
      await answerTo(service, file, '', plain),
      await answerTo(service, file, `?passphrase=${plain}`),
      await service.request('POST', '/_local/v1/restore', {
        raw: { type: 'application/x-tar', bytes: Buffer.from(file) },
        headers: { 'fieldbench-passphrase': `${plain}%` },
      }),
      await answerTo(service, file, '', plain.repeat(100)),
      await service.request('POST', '/_local/v1/backup', { body: { passphrase: plain.repeat(100) } }),
      await service.request('POST', '/_local/v1/backup', { body: { passphrase: { [plain]: plain } } }),
      await service.request('POST', '/_local/v1/backup', raw(`{"passphrase": ${plain}}`)),
      await service.request('POST', '/_local/v1/backup', raw(`{passphrase: '${plain}'}`)),
      await service.request('POST', '/_local/v1/backup', raw(`{"device_id":"x","passphrase":"${plain}}`)),
      await service.request('POST', '/_local/v1/backup', {
        body: { passphrase: plain, device_id: 'no such device' },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(9).fill(400), 404]);
    const listed = await service.request('GET', '/_local/v1/requests?limit=1000');
    expect(listed.text).toContain('/_local/v1/backup');
    expect(listed.text).toContain('/_local/v1/restore');
    for (const text of [...answers.map(({ text: answer }) => answer), listed.text, ...service.logged])
      expect(text).not.toMatch(/correct.?horse/);
  });

  test('is asked for in its place, in words', async () => {
    const file = await backupWithSecrets(service, PASSPHRASE);
    expect(await refused(other, file, '?passphrase=x')).toBe(
      'passphrase must be in the header Fieldbench-Passphrase: addresses are logged.',
    );
    const headers = { 'fieldbench-passphrase': '100 %' };
    const raw = { type: 'application/x-tar', bytes: Buffer.from(file) };
    const odd = await other.request('POST', '/_local/v1/restore', { raw, headers });
    expect([odd.status, odd.envelope.message]).toEqual([
      400,
      'passphrase must be percent-encoded UTF-8 in the header Fieldbench-Passphrase.',
    ]);
    expect((await other.request('POST', '/_local/v1/restore', { raw, headers, key: null })).status).toBe(401);
    for (const [body, message] of [
      [{}, 'passphrase is required: it must be text of 1 to 512 characters'],
      [{ passphrase: '' }, 'passphrase must be text of 1 to 512 characters'],
      [{ passphrase: 7 }, 'passphrase must be text of 1 to 512 characters'],
    ] as const) {
      const { status, envelope } = await service.request('POST', '/_local/v1/backup', { body });
      expect([status, envelope.message]).toEqual([400, message]);
    }
  });

  test('is of no account to a backup without secrets', async () => {
    const found = await restored(other, await backupOf(service), '', PASSPHRASE);
    expect(found).not.toHaveProperty('secrets');
    expect(found).toMatchObject({ records: { new: 3 } });
  });
});
