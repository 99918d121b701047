import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKeychainVault } from '#core/vault/keychain-vault.ts';
import { openKeychain } from '#core/vault/keychain.ts';
import { openVault } from '#core/vault/open-vault.ts';
import { SecretsKeeper } from '#core/vault/secrets-keeper.ts';
import type { VaultSetting } from '#shared/operations/service/service.ts';
import type { SecretRef } from '#core/vault/vault.ts';
import { vaultModelSuite } from '../suites/vault-model.ts';
import { vaultSuite } from '../suites/vault.ts';

const open = async (installationId: string) => createKeychainVault(await openKeychain(), installationId);

vaultSuite('keychain', () => {
  const installationId = crypto.randomUUID();
  return Promise.resolve({
    open: () => open(installationId),
    // The whole keyring goes with its session.
    remove: () => Promise.resolve(),
    lasting: true,
  });
});

vaultModelSuite(
  'keychain',
  () => {
    const installationId = crypto.randomUUID();
    const again = () => open(installationId);
    return Promise.resolve({ open: again, afterCrash: again });
  },
  10,
);

describe('a real keyring', () => {
  test('takes the tokens of 1,000 devices faster than 100 entries of their own', async () => {
    const vault = await open(crypto.randomUUID());
    const token = 'x'.repeat(40);
    const packed = await elapsed(1000, () =>
      vault.set({ kind: 'device-token', project_id: 'p', device_id: crypto.randomUUID() }, token),
    );
    const single = await elapsed(100, () => vault.set({ kind: 'api-key', id: crypto.randomUUID() }, token));
    console.log(`1,000 device tokens: ${packed.toFixed(0)} ms; 100 single entries: ${single.toFixed(0)} ms`);
    expect(packed).toBeLessThan(single);
  });

  test('keeps the data folders of one machine apart', async () => {
    const [one, two] = [await open(crypto.randomUUID()), await open(crypto.randomUUID())];
    const ref: SecretRef = { kind: 'device-token', project_id: 'p', device_id: 'd' };
    await one.set(ref, 'of one');
    await two.set(ref, 'of two');
    await two.deleteProject('p');
    expect([await one.get(ref), await two.get(ref)]).toEqual(['of one', null]);
  });
});

async function elapsed(count: number, call: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await Promise.all(Array.from({ length: count }, call));
  return performance.now() - start;
}

/** Opens the vault and keeps a secret in it; says how that went in one line. */
const KEEP = `
  import { openVault } from '${pathToFileURL(join(import.meta.dirname, '../../electron/core/vault/open-vault.ts')).href}';
  const options = { directory: process.env.DATA, isNew: true, isPortable: false, passphrase: null, installationId: 'x', patienceMs: Number(process.env.PATIENCE ?? 10_000) };
  try {
    const { vault, reason } = await openVault({ ...options, kind: process.env.VAULT, log: console });
    await vault.set({ kind: 'api-key', id: 'a' }, 'secret');
    await vault.close();
    console.log('kept in ' + vault.kind + ': ' + reason);
  } catch (error) {
    console.log(error.name + ' ' + error.code + ' ' + error.message);
  }
`;

/** Runs KEEP in `home` with this kind of vault, after `command` and without this session. */
async function keepIn(home: string, kind: VaultSetting, ...command: string[]): Promise<string> {
  const runtime = await mkdtemp(join(home, 'runtime-'));
  const [file, ...args] = [...command, process.execPath, '--input-type=module', '--eval', KEEP];
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    VAULT: kind,
    DATA: await mkdtemp(join(home, 'data-')),
  };
  return (await promisify(execFile)(file, args, { env })).stdout;
}

const BUS = ['dbus-run-session', '--'];
const UNLOCKED = [
  ...BUS,
  'sh',
  '-c',
  'printf passphrase | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$@"',
  'sh',
];

test('secrets move from files to a real keyring and back, and a self-test finds both well', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-move-'));
  const options = {
    directory,
    isNew: true,
    isPortable: false,
    passphrase: null,
    installationId: crypto.randomUUID(),
    patienceMs: 10_000,
    log: { warn: (line: string) => expect.fail(line) },
  };
  const { vault } = await openVault({ ...options, kind: 'file' });
  const refs = Array.from({ length: 100 }, (_, i): SecretRef => ({
    kind: 'device-token',
    project_id: `p${i % 2}`,
    device_id: `d${i}`,
  }));
  await Promise.all(refs.map((ref, i) => vault.set(ref, `secret ${i}`)));
  await vault.close();
  const secrets = refs.map((_, i) => `secret ${i}`);
  const reopen = async () =>
    new SecretsKeeper(await openVault({ ...options, kind: 'auto' }), { ...options, kind: 'auto' });
  const work = {
    refs: () => Promise.resolve(refs),
    progress: () => {},
    signal: new AbortController().signal,
  };

  let keeper = await reopen();
  for (const to of ['keychain', 'file'] as const) {
    expect(await keeper.move(to, work)).toEqual({ moved: 100, left: null });
    expect(await keeper.test()).toMatchObject({ is_well: true });
    await keeper.vault.close();
    keeper = await reopen();
    expect(keeper.vault.kind).toBe(to);
    expect(await keeper.vault.readKept(refs)).toEqual(secrets);
  }
  await keeper.vault.close();
  // Nothing of it is left in the keyring.
  const ring = await open(options.installationId);
  expect(await ring.readKept(refs)).toEqual(refs.map(() => null));
  await rm(directory, { recursive: true });
});

describe('a session without a usable keyring', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'other-home-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  test('without D-Bus names what to install and the other way', async () => {
    const said = await keepIn(home, 'keychain');
    expect(said).toMatch(/^VaultError no-keychain .*libsecret.*gnome-keyring/);
    expect(said).toContain('--vault file');
  });

  test('where no keyring was ever made says so', async () => {
    expect(await keepIn(home, 'keychain', ...BUS)).toMatch(/^VaultError locked .*--vault file/);
  });

  test('where the keyring is locked says so', async () => {
    expect(await keepIn(home, 'keychain', ...UNLOCKED)).toMatch(/^kept in keychain: /);
    expect(await keepIn(home, 'keychain', ...BUS)).toMatch(/^VaultError locked .*--vault file/);
  });

  test('gives a new data directory the file without a question, and says why; one with a keyring the keyring', async () => {
    expect(await keepIn(home, 'auto')).toMatch(
      /^kept in file: this system has no keychain that answers \(.+\)\n$/,
    );
    expect(await keepIn(home, 'auto', ...BUS)).toMatch(/^kept in file: .* locked/);
    expect(await keepIn(home, 'auto', ...UNLOCKED)).toMatch(/^kept in keychain: /);
    expect(await keepIn(home, 'auto', ...BUS)).toMatch(/^kept in file: .* locked/);
  });
  test('that does not answer keeps no process that has come to its end, nor its exit code', async () => {
    // A bus on which nobody ever answers for the keyring, as nobody does while a prompt is open.
    await writeFile(
      join(home, 'deaf.service'),
      '[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/bin/sleep 60\n',
    );
    const policy = '<policy context="default"><allow send_destination="*"/><allow own="*"/></policy>';
    await writeFile(
      join(home, 'bus.conf'),
      '<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" ' +
        '"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd"><busconfig><type>session</type>' +
        `<listen>unix:tmpdir=${home}</listen><servicedir>${home}</servicedir>${policy}</busconfig>`,
    );
    const script = `${KEEP}
      process.once('exit', () => console.log('last word'));
      console.log(performance.now());
      process.exit(3);
    `;
    const command = [
      '--config-file',
      join(home, 'bus.conf'),
      '--',
      process.execPath,
      '--input-type=module',
      '--eval',
    ];
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_RUNTIME_DIR: home,
      VAULT: 'keychain',
      DATA: home,
    };
    const started = performance.now();
    const failed: unknown = await promisify(execFile)('dbus-run-session', [...command, script], {
      env: { ...env, PATIENCE: '1000' },
    }).catch((error: unknown) => error);
    const took = performance.now() - started;
    const { code, stdout } = failed as { code: number; stdout: string };
    const [said = '', until = '0', last] = stdout.split('\n').slice(-4);
    expect([code, last]).toEqual([3, 'last word']);
    expect(said).toMatch(/^VaultError locked/);
    // Without this, it takes as long as the bus has patience: 25 s.
    expect(took).toBeLessThan(5 * Number(until));
  });
});
