import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandError } from '../../../scripts/lib/project.mjs';
import { dayOf, sourceDate } from '../../../scripts/lib/source-date.mjs';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'fieldbench-date-'))));
afterEach(() => rmSync(root, { recursive: true }));

const AT = 1_764_150_000;
/** git, whoever runs it, and wherever a folder above is a repository. */
const ENV = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir(), SOURCE_DATE_EPOCH: '' };

test('the date of a build is that of its commit, whatever the clock says', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: root,
      env: { ...ENV, GIT_COMMITTER_DATE: `@${AT} +0900`, GIT_AUTHOR_DATE: '@86400 +0000' },
    });
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message=one');
  expect(sourceDate(ENV, root)).toBe(AT);
  expect(dayOf(AT)).toBe('2025-11-26');
});

test('SOURCE_DATE_EPOCH says it where there is no repository, and beside one', () => {
  const env = { ...ENV, SOURCE_DATE_EPOCH: String(AT) };
  expect([sourceDate(env, root), sourceDate(env)]).toEqual([AT, AT]);
  expect(() => sourceDate({ SOURCE_DATE_EPOCH: 'yesterday' })).toThrow('got "yesterday"');
  expect(() => sourceDate({ SOURCE_DATE_EPOCH: 'yesterday' })).toThrow(CommandError);
});

test('of sources that came as an archive nobody knows it', () => {
  expect(sourceDate({ ...process.env, SOURCE_DATE_EPOCH: '', GIT_DIR: join(root, 'none') }, root)).toBeNull();
  expect(dayOf(null)).toBeNull();
});
