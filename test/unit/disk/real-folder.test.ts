import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realFolder } from '#core/disk/real-folder.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fieldbench-real-')));
  mkdirSync(join(home, 'data'));
  symlinkSync(join(home, 'data'), join(home, 'link'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** What Windows says on a RAM disk. */
const untold = () => {
  throw Object.assign(new Error('EISDIR: illegal operation on a directory, realpath'), { code: 'EISDIR' });
};

test.each([
  ['a drive that tells', undefined],
  ['a drive that does not', untold],
])('a folder has one path, on %s', (_drive, ask) => {
  for (const path of [join(home, 'data'), join(home, 'link'), `${home}/link/../link/`])
    expect(realFolder(path, ask)).toBe(join(home, 'data'));
});

test('a folder that is not there has none', () => {
  expect(() => realFolder(join(home, 'none'))).toThrow('ENOENT');
  expect(() => realFolder(join(home, 'none'), untold)).toThrow('ENOENT');
});
