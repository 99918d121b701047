import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolders } from '#core/disk/make-folders.ts';
import { runCli } from '../../helpers/service/service-process.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'fieldbench-folders-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('makes what is missing with its mode, says where it began, and leaves what is there', () => {
  expect(makeFolders(join(folder, 'a/b/c'), 0o700)).toBe(join(folder, 'a'));
  if (process.platform !== 'win32') expect(statSync(join(folder, 'a/b')).mode & 0o777).toBe(0o700);
  mkdirSync(join(folder, 'a/b/d'), { mode: 0o755 });
  expect(makeFolders(join(folder, 'a/b/d'), 0o700)).toBeUndefined();
  expect(makeFolders('/')).toBeUndefined();
});

test('says what is in the way', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolders(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makeFolders(join(folder, 'file/a/b'))).toThrow('ENOTDIR');
});

test.skipIf(process.platform !== 'linux')(
  'a data directory where nobody can make one ends the start with a sentence',
  async () => {
    const { code, stderr } = await runCli(['serve', '--vault', 'memory', '--data', '/proc/fieldbench/data']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^fieldbench: The data directory \/proc\/fieldbench\/data cannot be made: .*--data DIR/,
    );
  },
);

const canMount = () =>
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0;

test.skipIf(!canMount())('a disk that is read-only is said to be, however many folders are missing', () => {
  const module = pathToFileURL(join(import.meta.dirname, '../../../electron/core/disk/make-folders.ts')).href;
  const script = `
    const { makeFolders } = await import('${module}');
    try { makeFolders('${folder}/a/b/c'); } catch (error) { console.log(error.message); }`;
  const said = execFileSync('unshare', [
    '--mount',
    'sh',
    '-c',
    'mount -t tmpfs -o ro none "$1" && exec "$2" --input-type=module --eval "$3"',
    'sh',
    folder,
    process.execPath,
    script,
  ]);
  expect(String(said)).toMatch(/read-only file system/);
});
