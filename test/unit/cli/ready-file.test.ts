import { chmod, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile, lstat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeStaleReadyFile, writeReadyFile, type ReadyInfo } from '#core/cli/serve/ready-file.ts';

const INFO: ReadyInfo = {
  version: '1',
  pid: 1,
  base_url: 'https://127.0.0.1:1',
  http_url: null,
  mqtt_url: null,
  mqtts_url: null,
  ca_file: null,
  console_url: null,
  account_id: 'a',
  api_key: 'fb_secret',
};

let folder: string;
let file: string;
const listeners = process.listeners('exit');
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-ready-'));
  // As the system's temporary folder may be.
  await chmod(folder, 0o777);
  file = join(folder, 'ready.json');
});
afterEach(async () => {
  for (const listener of process.listeners('exit'))
    if (!listeners.includes(listener)) process.removeListener('exit', listener);
  await rm(folder, { recursive: true, force: true });
});

async function expectOwn(): Promise<void> {
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(INFO);
  const { mode, nlink } = await lstat(file);
  expect((mode & 0o777).toString(8)).toBe('600');
  expect(nlink).toBe(1);
  expect((await lstat(file)).isFile()).toBe(true);
}

describe('in a folder that others write to, the ready file', () => {
  test('is for its user alone, and nothing else stays there', async () => {
    await writeReadyFile(file, INFO);
    await expectOwn();
    expect(await readdir(folder)).toEqual(['ready.json']);
  });

  test('is closed to others whatever the umask and whoever watches', async () => {
    const before = process.umask(0);
    try {
      await writeReadyFile(file, INFO);
    } finally {
      process.umask(before);
    }
    await expectOwn();
  });

  test.each(['ready.json', 'ready.json.tmp'])('does not go into a file %s made open before', async (name) => {
    const trap = join(folder, name);
    await writeFile(trap, '');
    await chmod(trap, 0o666);
    const held = (await stat(trap)).ino;
    await writeReadyFile(file, INFO);
    await expectOwn();
    expect((await stat(file)).ino).not.toBe(held);
  });

  test.each(['ready.json', 'ready.json.tmp'])('does not follow a link %s to elsewhere', async (name) => {
    const elsewhere = join(folder, 'elsewhere');
    await writeFile(elsewhere, 'theirs');
    await symlink(elsewhere, join(folder, name));
    await writeReadyFile(file, INFO);
    await expectOwn();
    expect(await readFile(elsewhere, 'utf8')).toBe('theirs');
  });

  test('that was left is removed without following a link', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await writeFile(elsewhere, 'theirs');
    await symlink(elsewhere, file);
    removeStaleReadyFile(file);
    expect(await readdir(folder)).toEqual(['elsewhere']);
  });

  test('names itself where it cannot be written, and leaves nothing', async () => {
    const missing = join(folder, 'missing', 'ready.json');
    await expect(writeReadyFile(missing, INFO)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^The ready file cannot be written \(ENOENT.*--ready-file F\.$/s),
    });
    await expect(writeReadyFile(folder, INFO)).rejects.toMatchObject({ name: 'StartError' });
    expect(await readdir(folder)).toEqual([]);
    expect(
      (await readdir(join(folder, '..'))).filter((name) =>
        name.startsWith(folder.slice(folder.lastIndexOf('/') + 1)),
      ),
    ).toEqual([folder.slice(folder.lastIndexOf('/') + 1)]);
  });
});
