import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VaultError } from '#core/base/errors.ts';
import type { Keychain } from '#core/vault/keychain.ts';
import { openVault, type VaultOptions } from '#core/vault/open-vault.ts';
import type { OpenedVault, SecretRef } from '#core/vault/vault.ts';

const ref: SecretRef = { kind: 'device-token', project_id: 'p', device_id: 'd' };
const noKeychain = () =>
  Promise.reject(
    new VaultError('no-keychain', 'There is no OS keychain.', { cause: new Error('no D-Bus\nand more') }),
  );
const lockedKeychain = () => Promise.reject(new VaultError('locked', 'The OS keychain is locked.'));

function workingKeychain(): () => Promise<Keychain> {
  const entries = new Map<string, string>();
  const name = (service: string, account: string) => `${service}/${account}`;
  return () =>
    Promise.resolve({
      get: (service, account) => Promise.resolve(entries.get(name(service, account)) ?? null),
      set: (service, account, secret) => Promise.resolve(void entries.set(name(service, account), secret)),
      delete: (service, account) => Promise.resolve(void entries.delete(name(service, account))),
    });
}

let directory: string;
let opened: OpenedVault[];
let working: () => Promise<Keychain>;
const open = async (given: Partial<VaultOptions> = {}) => {
  const one = await openVault({
    kind: 'auto',
    directory,
    isNew: false,
    isPortable: false,
    passphrase: null,
    installationId: 'here',
    patienceMs: 5,
    keychain: working,
    log: { warn: (message) => expect.fail(message) },
    ...given,
  });
  opened.push(one);
  return one;
};
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-vault-'));
  opened = [];
  working = workingKeychain();
});
afterEach(async () => {
  for (const { vault } of opened) await vault.close();
  await rm(directory, { recursive: true });
});

describe('a vault that nobody names', () => {
  test('is the file where the data goes from machine to machine, whichever keychain answers', async () => {
    const one = await open({ isPortable: true, isNew: true });
    expect([one.vault.kind, one.reason]).toEqual([
      'file',
      'a keychain stays with its machine, and this program does not',
    ]);
  });

  /** Opens, keeps a secret, and closes; answers what was said. */
  const keep = async (secret: string, given: Partial<VaultOptions> = {}) => {
    const one = await open(given);
    await one.vault.set(ref, secret);
    await one.vault.close();
    return one;
  };

  test('is the keychain in a new data folder, and then stays it', async () => {
    const first = await keep('kept', { isNew: true });
    expect(first).toMatchObject({
      vault: { kind: 'keychain' },
      reason: 'this system has one that answers',
      warning: null,
      notes: [],
    });
    const again = await open();
    expect(again).toMatchObject({ vault: { kind: 'keychain' }, warning: null, notes: [] });
    expect(again.reason).toContain('already');
    expect(await again.vault.get(ref)).toBe('kept');
  });

  test.each([
    ['there is none', noKeychain, /no keychain.*\(no D-Bus\)$/],
    ['it is locked', lockedKeychain, /locked/],
  ])(
    'is the file in a new data folder where %s, says why and who can read it, and stays it',
    async (_, keychain, why) => {
      const first = await keep('kept', { isNew: true, keychain });
      expect(first.vault.kind).toBe('file');
      expect(first.reason).toMatch(why);
      expect(first.warning).toMatch(/Whoever can read the data directory.*vault\.key.*FIELDBENCH_PASSPHRASE/);
      const again = await open();
      expect([again.vault.kind, await again.vault.get(ref), again.notes]).toEqual(['file', 'kept', []]);
      expect(again.warning).toBe(first.warning);
    },
  );

  test('warns of nothing where the file is locked with a passphrase', async () => {
    const first = await keep('kept', { isNew: true, keychain: noKeychain, passphrase: 'correct horse' });
    expect(first).toMatchObject({ vault: { kind: 'file' }, warning: null });
  });

  test('is the file where vault.json is there and the record of it was lost', async () => {
    await keep('kept', { kind: 'file', passphrase: 'any' });
    await rm(join(directory, 'vault-kind.json'));
    await expect(open()).rejects.toMatchObject({ code: 'no-passphrase' });
    const again = await open({ passphrase: 'any' });
    expect([again.vault.kind, await again.vault.get(ref)]).toEqual(['file', 'kept']);
  });

  test('waits as long as it was told for a keychain that is in use, and then names both ways on', async () => {
    await keep('kept', { isNew: true });
    const asked: (number | undefined)[] = [];
    const keychain: VaultOptions['keychain'] = ({ patienceMs }) => {
      asked.push(patienceMs);
      return lockedKeychain();
    };
    await expect(open({ keychain, patienceMs: 180_000 })).rejects.toMatchObject({ code: 'locked' });
    expect(asked).toEqual([180_000]);
    expect(await readdir(directory)).toEqual(['vault-kind.json']);
  });

  test('is not guessed for an earlier data folder whose keychain is locked', async () => {
    await expect(open({ keychain: lockedKeychain })).rejects.toMatchObject({ code: 'locked' });
    expect(await readdir(directory)).toEqual([]);
  });

  test('is the file in an earlier data folder where there is no keychain, and says how to go back', async () => {
    const { vault, notes } = await open({ keychain: noKeychain });
    expect(vault.kind).toBe('file');
    expect(notes).toEqual([expect.stringMatching(/tokens read as empty.*--vault keychain/)]);
  });

  test('is chosen as for a new data folder after one that was in memory', async () => {
    const first = await keep('kept', { isNew: true, kind: 'memory' });
    expect(first.warning).toContain('gone when the service stops');
    const again = await open({ keychain: lockedKeychain });
    expect([again.vault.kind, again.notes]).toEqual(['file', []]);
  });

  test('does not take a keychain that fails in some other way for none', async () => {
    const failing = () => Promise.reject(new VaultError('io', 'The OS keychain refused.'));
    await expect(open({ isNew: true, keychain: failing })).rejects.toMatchObject({ code: 'io' });
  });
});

describe('a vault that is named', () => {
  const openAs = (kind: VaultOptions['kind']) => open({ kind });

  test('is used from then on, says so, and leaves what the other has', async () => {
    await (await openAs('keychain')).vault.set(ref, 'in the keychain');
    const file = await openAs('file');
    expect([await file.vault.get(ref), file.notes]).toEqual([
      null,
      [expect.stringMatching(/encrypted files.*keychain.*read as empty.*"--vault keychain" goes back/)],
    ]);
    await file.vault.set(ref, 'in the file');
    await file.vault.close();
    const auto = await openAs('auto');
    expect([auto.vault.kind, await auto.vault.get(ref), auto.notes]).toEqual(['file', 'in the file', []]);
    await auto.vault.close();
    const back = await openAs('keychain');
    expect([await back.vault.get(ref), back.notes]).toEqual(['in the keychain', [expect.any(String)]]);
  });

  test('leaves the choice alone where it is memory', async () => {
    const file = await openAs('file');
    await file.vault.set(ref, 'kept');
    await file.vault.close();
    const { vault, notes } = await openAs('memory');
    expect([await vault.get(ref), notes]).toEqual([
      null,
      [expect.stringContaining('"--vault file" goes back')],
    ]);
    const auto = await openAs('auto');
    expect([auto.vault.kind, await auto.vault.get(ref)]).toEqual(['file', 'kept']);
  });

  test.each(['', '{', '{"version":2,"kind":"cloud"}', '{"version":1,"kind":"drawer"}'])(
    'mends a vault-kind.json that says %j, which no start takes for nothing',
    async (text) => {
      await (await openAs('file')).vault.close();
      const path = join(directory, 'vault-kind.json');
      await writeFile(path, text);
      const failed: unknown = await openAs('auto').catch((error: unknown) => error);
      expect(failed).toMatchObject({ name: 'VaultError', code: 'damaged' });
      expect(String(failed)).toContain(path);
      expect(await readFile(path, 'utf8')).toBe(text);
      await (await openAs('file')).vault.close();
      expect((await openAs('auto')).vault.kind).toBe('file');
    },
  );

  test('is refused where it is a keychain that is not there', async () => {
    const options = {
      kind: 'keychain',
      directory,
      isNew: true,
      isPortable: false,
      passphrase: null,
      installationId: 'x',
    } as const;
    const log = { warn: (message: string) => expect.fail(message) };
    await expect(openVault({ ...options, patienceMs: 5, log, keychain: noKeychain })).rejects.toMatchObject({
      code: 'no-keychain',
    });
    expect(await readdir(directory)).toEqual([]);
  });
});
