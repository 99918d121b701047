import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appFolders, PROFILES } from '#core/cli/folders/app-folders.ts';
import { PORTABLE_FILE, portableFolder } from '#core/cli/folders/portable.ts';
import { dataDirectory } from '#core/cli/serve/configure.ts';
import { keepBesideProgram } from '../../../../electron/shell/start/profile.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-portable-'))));
afterEach(() => rm(folder, { recursive: true }));

test('a program is portable where a file beside it says so', async () => {
  const program = join(folder, 'fieldbench');
  expect(portableFolder(program)).toBeNull();
  await writeFile(join(folder, PORTABLE_FILE), '');
  expect(portableFolder(program)).toBe(folder);
});

test('a portable program has its data and its windows’ profiles beside itself, unless told otherwise', () => {
  expect(dataDirectory(null, folder)).toBe(join(folder, 'Data'));
  expect(dataDirectory('/elsewhere', folder)).toBe('/elsewhere');
  expect(appFolders('key', undefined, folder)).toEqual([join(folder, PROFILES, 'key')]);
  const set: string[][] = [];
  const app = { setPath: (...words: string[]) => void set.push(words) };
  keepBesideProgram(app, null);
  expect(set).toEqual([]);
  keepBesideProgram(app, folder);
  expect(set).toEqual([['appData', folder]]);
});
