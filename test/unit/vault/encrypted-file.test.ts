import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import { openEncryptedFile } from '#core/vault/encrypted-file.ts';
import { openVault } from '#core/vault/open-vault.ts';
import type { SecretRef } from '#core/vault/vault.ts';
import { failingFiles } from '../../faults/failing-files.ts';
import { vaultSuite } from '../../suites/vault.ts';

/** scrypt's N for tests: strength costs time by design. */
const cost = 2 ** 10;
const passphrase = 'correct horse battery staple';
const ref: SecretRef = { kind: 'api-key', id: 'a' };

const makeFolder = () => mkdtemp(join(tmpdir(), 'fieldbench-vault-'));

vaultSuite('encrypted file', async () => {
  const directory = await makeFolder();
  return {
    open: () => openEncryptedFile({ directory, passphrase, cost }),
    remove: () => rm(directory, { recursive: true }),
    lasting: true,
  };
});

describe('the encrypted file', () => {
  let directory: string;
  const path = () => join(directory, 'vault.json');
  const open = (given: { passphrase?: string | null; files?: Files } = {}) =>
    openEncryptedFile({ directory, passphrase, cost, ...given });
  const content = async () => JSON.parse(await readFile(path(), 'utf8')) as Record<string, string>;

  beforeEach(async () => {
    directory = await makeFolder();
  });
  afterEach(() => rm(directory, { recursive: true }));

  test('opens with the strength it has in use', async () => {
    const options = { kind: 'file', directory, passphrase, installationId: 'any' } as const;
    await (await openVault(options)).set(ref, 'a secret');
    expect(await (await openVault(options)).get(ref)).toBe('a secret');
    expect(await content()).toMatchObject({ kdf: { name: 'scrypt', N: 131_072, r: 8, p: 1 } });
  });

  test('shows nothing of what it holds, and is for its user alone', async () => {
    const vault = await open();
    await vault.set({ kind: 'device-token', project_id: 'p', device_id: 'visible?' }, 'token-in-clear');
    const text = await readFile(path(), 'utf8');
    expect(text).not.toMatch(/token|visible|device/);
    expect(text).not.toContain(Buffer.from('token-in-clear').toString('base64').slice(0, 12));
    if (process.platform !== 'win32') expect((await stat(path())).mode & 0o777).toBe(0o600);
  });

  test('takes a new nonce for every write and keeps its salt', async () => {
    const vault = await open();
    const seen = [await content()];
    for (const secret of ['one', 'two']) {
      await vault.set(ref, secret);
      seen.push(await content());
    }
    expect(new Set(seen.map(({ nonce }) => nonce)).size).toBe(3);
    expect(new Set(seen.map(({ salt }) => salt)).size).toBe(1);
  });

  test('joins writes that wait together', async () => {
    let writes = 0;
    const vault = await open({
      files: failingFiles(nodeFiles, (what) => {
        if (what === 'make') writes++;
        return null;
      }),
    });
    writes = 0;
    await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        vault.set({ kind: 'device-token', project_id: 'p', device_id: `${i}` }, 'token'),
      ),
    );
    expect(writes).toBeLessThanOrEqual(2);
  });

  test.each([null, ''])('asks for a passphrase where it gets %j', async (none) => {
    await expect(open({ passphrase: none })).rejects.toMatchObject({
      name: 'VaultError',
      code: 'no-passphrase',
      message: expect.stringContaining('FIELDBENCH_PASSPHRASE'),
    });
    expect(await readdir(directory)).toEqual([]);
  });

  test('says that the passphrase is wrong, and changes nothing', async () => {
    await (await open()).set(ref, 'secret');
    const before = await readFile(path());
    await expect(open({ passphrase: 'Correct horse battery staple' })).rejects.toMatchObject({
      code: 'wrong-passphrase',
      message: expect.stringContaining(path()),
    });
    expect(await readFile(path())).toEqual(before);
  });

  test('takes a passphrase in either way of writing its letters', async () => {
    await (await open({ passphrase: 'gr\u00fcn' })).set(ref, 'secret');
    expect(await (await open({ passphrase: 'gru\u0308n' })).get(ref)).toBe('secret');
  });

  test('tells damage from a wrong passphrase, wherever a letter changed', async () => {
    await (await open()).set(ref, 'secret');
    const text = await readFile(path(), 'utf8');
    const step = Math.max(1, Math.floor(text.length / 60));
    for (let at = 0; at < text.trimEnd().length; at += step) {
      if (/\s/.test(text[at] ?? '')) continue;
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
      await writeFile(path(), changed);
      const failed: unknown = await open({ passphrase: 'any other' }).catch((error: unknown) => error);
      expect(failed, changed).toMatchObject({ name: 'VaultError', code: 'damaged' });
      expect(String(failed)).toContain(path());
      expect(await readFile(path(), 'utf8')).toBe(changed);
    }
  });

  test.each(['', '{', '[]', '{"version":1}'])('says that %j is damaged', async (text) => {
    await writeFile(path(), text);
    await expect(open()).rejects.toMatchObject({ code: 'damaged' });
  });

  test('leaves a newer format alone and says which it is', async () => {
    await writeFile(path(), '{"version":2}');
    await expect(open()).rejects.toThrow(/format 2.*up to 1/);
    expect(await readFile(path(), 'utf8')).toBe('{"version":2}');
  });

  test('keeps the old file whole and the old secrets when a write fails half-way', async () => {
    let full = false;
    const files = failingFiles(nodeFiles, (what) => (full && what === 'grow' ? 'short' : null));
    const vault = await open({ files });
    await vault.set(ref, 'old');
    full = true;
    await expect(vault.set(ref, 'new')).rejects.toMatchObject({
      code: 'io',
      message:
        'The vault could not be written. The disk is full: nothing was changed. Free some space and try again.',
    });
    expect(await vault.get(ref)).toBe('old');
    expect(await (await open()).get(ref)).toBe('old');
  });
});
