import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { crc32 } from 'node:zlib';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import { openEncryptedFile } from '#core/vault/encrypted-file.ts';
import type { SecretRef, Vault } from '#core/vault/vault.ts';
import { failingFiles, type Attempt, type Fault } from '../../faults/failing-files.ts';
import { vaultSuite } from '../../suites/vault.ts';

/** scrypt's N for tests: strength costs time by design. */
const cost = 2 ** 10;
const passphrase = 'correct horse battery staple';
const ref: SecretRef = { kind: 'api-key', id: 'a' };
const tokenOf = (device_id: string, project_id = 'p'): SecretRef => ({
  kind: 'device-token',
  project_id,
  device_id,
});

const makeFolder = () => mkdtemp(join(tmpdir(), 'fieldbench-vault-'));
const log = { warn: (message: string) => expect.fail(message) };

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
  let directory: string;
  let opened: Vault[];
  const path = () => join(directory, 'vault.json');
  const open = async (given: Partial<Parameters<typeof openEncryptedFile>[0]> = {}) => {
    const vault = await openEncryptedFile({ directory, passphrase, cost, log, ...given });
    opened.push(vault);
    return vault;
  };
  const header = async () => JSON.parse(await readFile(path(), 'utf8')) as Record<string, unknown>;
  const journals = async () => (await readdir(directory)).filter((name) => name.endsWith('.journal'));
  const journalPath = async () => join(directory, (await journals())[0] ?? 'none');
  const everything = async () =>
    Object.fromEntries(
      await Promise.all(
        (await readdir(directory)).map(
          async (name) => [name, await readFile(join(directory, name))] as const,
        ),
      ),
    );
  const refused = async (given: Parameters<typeof open>[0] = {}): Promise<unknown> =>
    open(given).then(
      () => expect.fail('it opened'),
      (error: unknown) => error,
    );
  /** Real files; `fault` is asked before each operation. */
  const failing = (fault: (what: Attempt, path: string) => Fault | null): Files =>
    failingFiles(nodeFiles, fault);

  beforeEach(async () => {
    directory = await makeFolder();
    opened = [];
  });
  afterEach(async () => {
    for (const vault of opened) await vault.close();
    await rm(directory, { recursive: true });
  });

  test('opens with the strength it has in use', async () => {
    const options = { directory, passphrase, log };
    const first = await openEncryptedFile(options);
    await first.set(ref, 'a secret');
    await first.close();
    const again = await openEncryptedFile(options);
    expect(await again.get(ref)).toBe('a secret');
    await again.close();
    expect(await header()).toMatchObject({ opener: { kdf: 'scrypt', N: 131_072, r: 8, p: 1 } });
  });

  test.each([passphrase, null])(
    'shows nothing of what it holds, and is for its user alone (%s)',
    async (given) => {
      const vault = await open({ passphrase: given });
      await vault.set(tokenOf('visible?'), 'token-in-clear');
      await vault.close();
      for (const [name, bytes] of Object.entries(await everything())) {
        const text = bytes.toString('latin1');
        expect(text, name).not.toMatch(/token|visible|device/);
        expect(text).not.toContain(Buffer.from('token-in-clear').toString('base64').slice(0, 12));
        if (process.platform !== 'win32')
          expect((await stat(join(directory, name))).mode & 0o777, name).toBe(0o600);
      }
    },
  );

  test('adds one more token to what is there, and writes none of the others again', async () => {
    const vault = await open();
    const bytesOf = async (device: string) => {
      const before = (await stat(await journalPath())).size;
      await vault.set(tokenOf(device), 'x'.repeat(40));
      return (await stat(await journalPath())).size - before;
    };
    const first = await bytesOf('first device');
    await Promise.all(Array.from({ length: 3000 }, (_, i) => vault.set(tokenOf(`${i}`), 'x'.repeat(40))));
    const [journal] = await journals();
    expect(await bytesOf('other device')).toBe(first);
    expect(await journals()).toEqual([journal]);
  });

  test('joins writes that wait together', async () => {
    let syncs = 0;
    const vault = await open({ files: failing((what) => (what === 'sync' && syncs++, null)) });
    syncs = 0;
    await Promise.all(Array.from({ length: 1000 }, (_, i) => vault.set(tokenOf(`${i}`), 'token')));
    expect(syncs).toBe(1);
  });

  test('keeps nothing of what was deleted or replaced once it is closed', async () => {
    const vault = await open();
    for (let i = 0; i < 40; i++) await vault.set(tokenOf(`${i}`), 'x'.repeat(40));
    const [before] = await journals();
    await vault.delete(tokenOf('1'));
    await vault.set(tokenOf('2'), 'new');
    await vault.close();
    const after = await journals();
    expect(after).toHaveLength(1);
    expect(after).not.toContain(before);
    const again = await open();
    expect(await again.get(tokenOf('1'))).toBeNull();
    expect(await again.get(tokenOf('2'))).toBe('new');
  });

  test('does not grow with tokens that come and go', async () => {
    const vault = await open();
    for (let i = 0; i < 100; i++) await vault.set(tokenOf(`${i}`), 'x'.repeat(40));
    const sizes: number[] = [];
    for (let round = 0; round < 1500; round++) {
      await vault.set(tokenOf('changing'), String(round));
      sizes.push((await stat(await journalPath())).size);
    }
    const [early, late] = [sizes.slice(0, 700), sizes.slice(-700)].map((some) => Math.max(...some));
    expect(late).toBeLessThanOrEqual((early ?? 0) * 1.1);
    expect(await vault.get(tokenOf('changing'))).toBe('1499');
  });

  test('asks for the passphrase of a vault that was made with one', async () => {
    await (await open()).set(ref, 'secret');
    for (const none of [null, ''])
      expect(await refused({ passphrase: none })).toMatchObject({
        name: 'VaultError',
        code: 'no-passphrase',
        message: expect.stringMatching(/vault\.json.*FIELDBENCH_PASSPHRASE/),
      });
    expect(await readdir(directory)).not.toContain('vault.key');
  });

  test('says that the passphrase is wrong, and changes nothing', async () => {
    const vault = await open();
    await vault.set(ref, 'secret');
    await vault.close();
    const before = await everything();
    expect(await refused({ passphrase: 'Correct horse battery staple' })).toMatchObject({
      code: 'wrong-passphrase',
      message: expect.stringContaining(path()),
    });
    expect(await everything()).toEqual(before);
  });

  test('takes a passphrase in either way of writing its letters', async () => {
    const vault = await open({ passphrase: 'gr\u00fcn' });
    await vault.set(ref, 'secret');
    await vault.close();
    expect(await (await open({ passphrase: 'gru\u0308n' })).get(ref)).toBe('secret');
  });

  test('without a passphrase keeps a key of its own beside it, and says that it lies there', async () => {
    const vault = await open({ passphrase: null });
    expect(vault.openedBy).toBe('key-file');
    expect(await readFile(join(directory, 'vault.key'))).toHaveLength(32);
  });

  test('locks a vault of vault.key with the passphrase that a later start has', async () => {
    const vault = await open({ passphrase: null });
    await vault.set(ref, 'secret');
    await vault.close();
    const key = await readFile(join(directory, 'vault.key'));
    const locked = await open();
    expect([locked.openedBy, await locked.get(ref)]).toEqual(['passphrase', 'secret']);
    await locked.close();
    expect(await readdir(directory)).not.toContain('vault.key');
    // What the key opened counts no more, also for who kept a copy of it.
    await writeFile(join(directory, 'vault.key'), key);
    expect(await refused({ passphrase: null })).toMatchObject({ code: 'no-passphrase' });
    expect(await (await open()).get(ref)).toBe('secret');
    expect(await readdir(directory)).not.toContain('vault.key');
  });

  test.each([
    ['is gone', null, 'is not there'],
    ['is too short', Buffer.alloc(31), 'has 31 bytes in place of 32'],
    ['is another', Buffer.alloc(32), 'is not the key'],
  ])('names vault.key where it %s', async (_, content, words) => {
    const vault = await open({ passphrase: null });
    await vault.set(ref, 'secret');
    await vault.close();
    const keyPath = join(directory, 'vault.key');
    await (content === null ? rm(keyPath) : writeFile(keyPath, content));
    const before = await everything();
    const failed = await refused({ passphrase: null });
    expect(failed).toMatchObject({ name: 'VaultError', code: 'damaged' });
    expect(String(failed)).toContain(keyPath);
    expect(String(failed)).toContain(words);
    expect(await everything()).toEqual(before);
  });

  test.each(['', '{', '[]', '{"version":1}', '{"version":2}'])('says that %j is damaged', async (text) => {
    await writeFile(path(), text);
    expect(await refused()).toMatchObject({ code: 'damaged' });
  });

  test('leaves a newer format alone and says which it is', async () => {
    await writeFile(path(), '{"version":3}');
    expect(String(await refused())).toMatch(/format 3.*up to 2/);
    expect(await readFile(path(), 'utf8')).toBe('{"version":3}');
  });

  test('leaves a journal of a newer format alone and says which it is', async () => {
    const vault = await open();
    await vault.set(ref, 'secret');
    await vault.close();
    const journal = await journalPath();
    const bytes = await readFile(journal);
    bytes.writeUInt32LE(2, 4);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 24)), 24);
    await writeFile(journal, bytes);
    const failed = String(await refused());
    expect(failed).toContain(journal);
    expect(failed).toMatch(/format 2.*up to 1/);
    expect(await readFile(journal)).toEqual(bytes);
  });

  test('does not take a journal whose vault.json is gone for nothing', async () => {
    const vault = await open();
    await vault.set(ref, 'secret');
    await vault.close();
    const kept = await readFile(path());
    await rm(path());
    expect(await refused()).toMatchObject({ code: 'damaged', message: expect.stringContaining('.journal') });
    await writeFile(path(), kept);
    expect(await (await open()).get(ref)).toBe('secret');
  });

  test('keeps the old secrets when a write fails half-way, and takes new ones once there is room', async () => {
    let full = false;
    const vault = await open({ files: failing((what) => (full && what === 'grow' ? 'short' : null)) });
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
    const again = await open();
    expect([await again.get(ref), await again.get(tokenOf('d'))]).toEqual(['old', 'token']);
  });

  test('says what failed without a path, a secret or the words of the system', async () => {
    let failingNow = false;
    const vault = await open({ files: failing((what) => (failingNow && what === 'grow' ? 'EIO' : null)) });
    failingNow = true;
    const error: unknown = await vault.set(ref, 'the secret').catch((reason: unknown) => reason);
    expect(String(error)).not.toContain(directory);
    expect(String(error)).not.toMatch(/EIO|secret'|errno|vault-/);
    expect(error).toMatchObject({ code: 'io', message: expect.stringContaining('Check the disk') });
    failingNow = false;
  });

  test('names the folder and the reason where it cannot be read', async () => {
    const vault = await open();
    await vault.set(ref, 'the secret');
    await vault.close();
    for (const unreadable of ['vault.json', '.journal']) {
      const files = failing((what, file) => (what === 'open' && file.endsWith(unreadable) ? 'EACCES' : null));
      expect(await refused({ files })).toMatchObject({
        name: 'VaultError',
        code: 'io',
        message: expect.stringContaining(`${directory} cannot be opened (EACCES). Give this user the right`),
      });
    }
  });

  test('refuses secrets once it is closed', async () => {
    const vault = await open();
    await vault.close();
    await expect(vault.set(ref, 'late')).rejects.toMatchObject({ name: 'VaultError', code: 'io' });
  });
});
