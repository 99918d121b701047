import { readFile, rm, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failing, ref, tokenOf, VaultFolder } from './vault-folder.ts';

/** All secrets as one sealed text. */
const FORMAT_1 = JSON.stringify({
  version: 1,
  kdf: { name: 'scrypt', N: 1024, r: 8, p: 1 },
  data: 'YvLGW2YO',
});

describe('the encrypted file', () => {
  let folder: VaultFolder;
  beforeEach(async () => void (folder = await VaultFolder.make()));
  afterEach(() => folder.remove());

  test.each(['', '{', '[]', '{"version":1}', '{"version":2}'])('says that %j is damaged', async (text) => {
    await writeFile(folder.path, text);
    expect(await folder.refused()).toMatchObject({ code: 'damaged' });
  });

  test('leaves a newer format alone and says which it is', async () => {
    await writeFile(folder.path, '{"version":3}');
    expect(String(await folder.refused())).toMatch(/format 3.*up to 2/);
    expect(await readFile(folder.path, 'utf8')).toBe('{"version":3}');
  });

  test('leaves format 1, which no release has written, alone and says which it is', async () => {
    await writeFile(folder.path, FORMAT_1);
    const before = await folder.everything();
    for (const given of [{}, { passphrase: null }, { passphrase: 'another' }]) {
      const failed = String(await folder.refused(given));
      expect(failed).toContain(folder.path);
      expect(failed).toMatch(/format 1.*from 2 on.*left as it is/);
    }
    expect(await folder.everything()).toEqual(before);
  });

  test('leaves a journal of a newer format alone and says which it is', async () => {
    const vault = await folder.open();
    await vault.set(ref, 'secret');
    await vault.close();
    const journal = await folder.journalPath();
    const bytes = await readFile(journal);
    bytes.writeUInt32LE(2, 4);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 24)), 24);
    await writeFile(journal, bytes);
    const failed = String(await folder.refused());
    expect(failed).toContain(journal);
    expect(failed).toMatch(/format 2.*up to 1/);
    expect(await readFile(journal)).toEqual(bytes);
  });

  test('does not take a journal whose vault.json is gone for nothing', async () => {
    const vault = await folder.open();
    await vault.set(ref, 'secret');
    await vault.close();
    const kept = await readFile(folder.path);
    await rm(folder.path);
    expect(await folder.refused()).toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('.journal'),
    });
    await writeFile(folder.path, kept);
    expect(await (await folder.open()).get(ref)).toBe('secret');
  });

  test('keeps the old secrets when a write fails half-way, and takes new ones once there is room', async () => {
    let full = false;
    const vault = await folder.open({ files: failing((what) => (full && what === 'grow' ? 'short' : null)) });
    await vault.set(ref, 'old');
    full = true;
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(vault.set(ref, 'new')).rejects.toMatchObject({
        name: 'VaultError',
        code: 'io',
        message:
          'The vault could not be written. The disk is full: nothing was changed. Free some space and try again.',
      });
    expect(await vault.get(ref)).toBe('old');
    full = false;
    await vault.set(tokenOf('d'), 'token');
    await vault.close();
    const again = await folder.open();
    expect([await again.get(ref), await again.get(tokenOf('d'))]).toEqual(['old', 'token']);
  });

  test('says what failed without a path, a secret or the words of the system', async () => {
    let failingNow = false;
    const vault = await folder.open({
      files: failing((what) => (failingNow && what === 'grow' ? 'EIO' : null)),
    });
    failingNow = true;
    const error: unknown = await vault.set(ref, 'the secret').catch((reason: unknown) => reason);
    expect(String(error)).not.toContain(folder.directory);
    expect(String(error)).not.toMatch(/EIO|secret'|errno|vault-/);
    expect(error).toMatchObject({ code: 'io', message: expect.stringContaining('Check the disk') });
    failingNow = false;
  });

  test('names the folder and the reason where it cannot be read', async () => {
    const vault = await folder.open();
    await vault.set(ref, 'the secret');
    await vault.close();
    for (const unreadable of ['vault.json', '.journal']) {
      const files = failing((what, file) => (what === 'open' && file.endsWith(unreadable) ? 'EACCES' : null));
      expect(await folder.refused({ files })).toMatchObject({
        name: 'VaultError',
        code: 'io',
        message: expect.stringContaining(
          `${folder.directory} cannot be opened (EACCES). Give this user the right`,
        ),
      });
    }
  });

  test('refuses secrets once it is closed', async () => {
    const vault = await folder.open();
    await vault.close();
    await expect(vault.set(ref, 'late')).rejects.toMatchObject({ name: 'VaultError', code: 'io' });
  });
});
