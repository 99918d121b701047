import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import { heldFiles } from '#core/disk/held-files.ts';
import { makeLasting } from '#core/disk/make-lasting.ts';
import { StoreError } from '#core/base/errors.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-held-'))));
afterEach(() => rm(folder, { recursive: true }));

test('a folder made with its parents lasts: the name of each is synced, in a folder that is held, too', async () => {
  const synced: string[] = [];
  const files: Files = {
    ...nodeFiles,
    syncDirectory: (path) => (synced.push(path), nodeFiles.syncDirectory(path)),
  };
  const held = heldFiles(files, () => null);
  await makeLasting(held, join(folder, 'a/b/c'), 0o700);
  expect(synced).toEqual([folder, join(folder, 'a'), join(folder, 'a/b')]);
});

test('nothing is made in a folder that is another’s by now', async () => {
  const held = heldFiles(nodeFiles, () => new StoreError('poisoned', 'It is gone.'));
  await expect(held.makeDirectory(join(folder, 'a'))).rejects.toThrow('It is gone.');
  expect(await nodeFiles.list(folder)).toEqual([]);
});
