import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openEncryptedFile } from '#core/vault/encrypted-file.ts';
import type { SecretRef, Vault } from '#core/vault/vault.ts';

const cost = 2 ** 10;
const passphrase = 'correct horse battery staple';
const log = { warn: (message: string) => expect.fail(message) };
const makeFolder = () => mkdtemp(join(tmpdir(), 'fieldbench-vault-'));
const tokenOf = (device_id: string, project_id: string): SecretRef => ({
  kind: 'device-token',
  project_id,
  device_id,
});

describe('a vault.json of version 1', () => {
  let directory: string;
  const open = (given: string | null = passphrase) =>
    openEncryptedFile({ directory, passphrase: given, cost, log });

  beforeEach(async () => {
    directory = await makeFolder();
    await cp(join(import.meta.dirname, '../../fixtures/vault-1'), directory, { recursive: true });
  });
  afterEach(() => rm(directory, { recursive: true }));

  test('opens with all it holds, goes on being used, and opens as the version of today', async () => {
    const vault = await open();
    const held = async (one: Vault) => ({
      key: await one.get({ kind: 'api-key', id: 'key' }),
      ca: await one.get({ kind: 'tls-key', id: 'ca' }),
      tokens: await Promise.all([0, 1, 2, 3, 4, 5].map((i) => one.get(tokenOf(`device ${i}`, 'project')))),
    });
    const expected = {
      key: 'fb_of-the-fixture',
      ca: '-----BEGIN PRIVATE KEY-----\nfixture\n-----END PRIVATE KEY-----\n',
      tokens: [...[0, 1, 2, 3, 4].map((i) => `token ${i}`.padEnd(40, 'x')), null] as (string | null)[],
    };
    expect(await held(vault)).toEqual(expected);
    await vault.set(tokenOf('device 5', 'project'), 'new');
    await vault.close();
    const again = await open();
    expect(await held(again)).toEqual({ ...expected, tokens: [...expected.tokens.slice(0, 5), 'new'] });
    await again.close();
    // An earlier Fieldbench refuses it by this, and changes nothing.
    expect(JSON.parse(await readFile(join(directory, 'vault.json'), 'utf8'))).toMatchObject({ version: 2 });
  });

  test('asks for its passphrase, and tells a wrong one', async () => {
    const before = await readFile(join(directory, 'vault.json'));
    await expect(open(null)).rejects.toMatchObject({ code: 'no-passphrase' });
    await expect(open('another')).rejects.toMatchObject({ code: 'wrong-passphrase' });
    expect(await readFile(join(directory, 'vault.json'))).toEqual(before);
  });

  test('tells damage from a wrong passphrase, wherever a letter changed', async () => {
    const path = join(directory, 'vault.json');
    const text = await readFile(path, 'utf8');
    for (let at = 0; at < text.trimEnd().length; at += 13) {
      if (/\s/.test(text[at] ?? '')) continue;
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
      await writeFile(path, changed);
      const failed: unknown = await open('any other').catch((error: unknown) => error);
      expect(failed, changed).toMatchObject({ name: 'VaultError', code: 'damaged' });
      expect(String(failed)).toContain(path);
      expect(await readFile(path, 'utf8')).toBe(changed);
    }
  });
});
