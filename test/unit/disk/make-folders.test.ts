import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolders, makeFoldersNow } from '#core/disk/make-folders.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-folders-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

test('makes what is missing, says where that begins, and leaves what is there', async () => {
  const path = join(directory, 'a', 'b', 'c');
  expect(await makeFolders(path, 0o700)).toBe(join(directory, 'a'));
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(await makeFolders(path, 0o755)).toBeUndefined();
  expect(await makeFolders(join(path, 'd'), 0o755)).toBe(join(path, 'd'));
  makeFoldersNow(path, 0o755);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700);
  makeFoldersNow(join(directory, 'x', 'y', '.'), 0o700);
  expect(existsSync(join(directory, 'x', 'y'))).toBe(true);
});

test('several who make the same folders at once all succeed', async () => {
  const path = join(directory, 'a', 'b', 'c', 'd');
  const tops = await Promise.all(Array.from({ length: 20 }, () => makeFolders(path, 0o700)));
  expect(statSync(path).isDirectory()).toBe(true);
  expect(tops.filter((top) => top === join(directory, 'a'))).toHaveLength(1);
});

test('a file in the way is an error', async () => {
  await writeFile(join(directory, 'file'), '');
  for (const path of [join(directory, 'file'), join(directory, 'file', 'below')]) {
    await expect(makeFolders(path)).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(() => makeFoldersNow(path)).toThrow(/EEXIST|ENOTDIR/);
  }
});

// Both would never be back with Node's own way.
test.skipIf(process.platform !== 'linux')(
  'a folder that takes no new names is an error, and no endless try',
  async () => {
    const path = '/proc/fieldbench/data';
    await expect(makeFolders(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(() => makeFoldersNow(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  },
);
