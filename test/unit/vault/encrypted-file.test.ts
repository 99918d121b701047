import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openEncryptedFile } from '#core/vault/encrypted-file.ts';
import { vaultSuite } from '../../suites/vault.ts';
import { cost, failing, log, makeFolder, passphrase, ref, tokenOf, VaultFolder } from './vault-folder.ts';

for (const [name, given] of [
  ['encrypted file', passphrase],
  ['encrypted file with a key beside it', null],
] as const)
  vaultSuite(name, async () => {
    const directory = await makeFolder();
    return {
      open: () => openEncryptedFile({ directory, passphrase: given, cost, log }),
      remove: () => rm(directory, { recursive: true }),
      lasting: true,
    };
  });

describe('the encrypted file', () => {
  let folder: VaultFolder;
  beforeEach(async () => void (folder = await VaultFolder.make()));
  afterEach(() => folder.remove());

  test('opens with the strength it has in use', async () => {
    const options = { directory: folder.directory, passphrase, log };
    const first = await openEncryptedFile(options);
    await first.set(ref, 'a secret');
    await first.close();
    const again = await openEncryptedFile(options);
    expect(await again.get(ref)).toBe('a secret');
    await again.close();
    expect(await folder.header()).toMatchObject({ opener: { kdf: 'scrypt', N: 131_072, r: 8, p: 1 } });
  });

  test.each([passphrase, null])(
    'shows nothing of what it holds, and is for its user alone (%s)',
    async (given) => {
      const vault = await folder.open({ passphrase: given });
      await vault.set(tokenOf('visible?'), 'token-in-clear');
      await vault.close();
      for (const [name, bytes] of Object.entries(await folder.everything())) {
        const text = bytes.toString('latin1');
        expect(text, name).not.toMatch(/token|visible|device/);
        expect(text).not.toContain(Buffer.from('token-in-clear').toString('base64').slice(0, 12));
        if (process.platform !== 'win32')
          expect((await stat(join(folder.directory, name))).mode & 0o777, name).toBe(0o600);
      }
    },
  );

  test('adds one more token to what is there, and writes none of the others again', async () => {
    const vault = await folder.open();
    const bytesOf = async (device: string) => {
      const before = (await stat(await folder.journalPath())).size;
      await vault.set(tokenOf(device), 'x'.repeat(40));
      return (await stat(await folder.journalPath())).size - before;
    };
    const first = await bytesOf('first device');
    await Promise.all(Array.from({ length: 3000 }, (_, i) => vault.set(tokenOf(`${i}`), 'x'.repeat(40))));
    const [journal] = await folder.journals();
    expect(await bytesOf('other device')).toBe(first);
    expect(await folder.journals()).toEqual([journal]);
  });

  test('joins writes that wait together', async () => {
    let syncs = 0;
    const vault = await folder.open({ files: failing((what) => (what === 'sync' && syncs++, null)) });
    syncs = 0;
    await Promise.all(Array.from({ length: 1000 }, (_, i) => vault.set(tokenOf(`${i}`), 'token')));
    expect(syncs).toBe(1);
  });

  test('keeps nothing of what was deleted or replaced once it is closed', async () => {
    const vault = await folder.open();
    for (let i = 0; i < 40; i++) await vault.set(tokenOf(`${i}`), 'x'.repeat(40));
    const [before] = await folder.journals();
    await vault.delete(tokenOf('1'));
    await vault.set(tokenOf('2'), 'new');
    await vault.close();
    const after = await folder.journals();
    expect(after).toHaveLength(1);
    expect(after).not.toContain(before);
    const again = await folder.open();
    expect(await again.get(tokenOf('1'))).toBeNull();
    expect(await again.get(tokenOf('2'))).toBe('new');
  });

  test('does not grow with tokens that come and go', async () => {
    const vault = await folder.open();
    for (let i = 0; i < 100; i++) await vault.set(tokenOf(`${i}`), 'x'.repeat(40));
    const sizes: number[] = [];
    for (let round = 0; round < 1500; round++) {
      await vault.set(tokenOf('changing'), String(round));
      sizes.push((await stat(await folder.journalPath())).size);
    }
    const [early, late] = [sizes.slice(0, 700), sizes.slice(-700)].map((some) => Math.max(...some));
    expect(late).toBeLessThanOrEqual((early ?? 0) * 1.1);
    expect(await vault.get(tokenOf('changing'))).toBe('1499');
  });

  test('asks for the passphrase of a vault that was made with one', async () => {
    await (await folder.open()).set(ref, 'secret');
    for (const none of [null, ''])
      expect(await folder.refused({ passphrase: none })).toMatchObject({
        name: 'VaultError',
        code: 'no-passphrase',
        message: expect.stringMatching(/vault\.json.*FIELDBENCH_PASSPHRASE/),
      });
    expect(await readdir(folder.directory)).not.toContain('vault.key');
  });

  test('says that the passphrase is wrong, and changes nothing', async () => {
    const vault = await folder.open();
    await vault.set(ref, 'secret');
    await vault.close();
    const before = await folder.everything();
    expect(await folder.refused({ passphrase: 'Correct horse battery staple' })).toMatchObject({
      code: 'wrong-passphrase',
      message: expect.stringContaining(folder.path),
    });
    expect(await folder.everything()).toEqual(before);
  });

  test('takes a passphrase in either way of writing its letters', async () => {
    const vault = await folder.open({ passphrase: 'gr\u00fcn' });
    await vault.set(ref, 'secret');
    await vault.close();
    expect(await (await folder.open({ passphrase: 'gru\u0308n' })).get(ref)).toBe('secret');
  });

  test('without a passphrase keeps a key of its own beside it, and says that it lies there', async () => {
    const vault = await folder.open({ passphrase: null });
    expect(vault.openedBy).toBe('key-file');
    expect(await readFile(join(folder.directory, 'vault.key'))).toHaveLength(32);
  });

  test('locks a vault of vault.key with the passphrase that a later start has', async () => {
    const vault = await folder.open({ passphrase: null });
    await vault.set(ref, 'secret');
    await vault.close();
    const key = await readFile(join(folder.directory, 'vault.key'));
    const locked = await folder.open();
    expect([locked.openedBy, await locked.get(ref)]).toEqual(['passphrase', 'secret']);
    await locked.close();
    expect(await readdir(folder.directory)).not.toContain('vault.key');
    // What the key opened counts no more, also for who kept a copy of it.
    await writeFile(join(folder.directory, 'vault.key'), key);
    expect(await folder.refused({ passphrase: null })).toMatchObject({ code: 'no-passphrase' });
    expect(await (await folder.open()).get(ref)).toBe('secret');
    expect(await readdir(folder.directory)).not.toContain('vault.key');
  });

  test.each([
    ['is gone', null, 'is not there'],
    ['is too short', Buffer.alloc(31), 'has 31 bytes in place of 32'],
    ['is another', Buffer.alloc(32), 'is not the key'],
  ])('names vault.key where it %s', async (_, content, words) => {
    const vault = await folder.open({ passphrase: null });
    await vault.set(ref, 'secret');
    await vault.close();
    const keyPath = join(folder.directory, 'vault.key');
    await (content === null ? rm(keyPath) : writeFile(keyPath, content));
    const before = await folder.everything();
    const failed = await folder.refused({ passphrase: null });
    expect(failed).toMatchObject({ name: 'VaultError', code: 'damaged' });
    expect(String(failed)).toContain(keyPath);
    expect(String(failed)).toContain(words);
    expect(await folder.everything()).toEqual(before);
  });
});
