import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLI_SCRIPT } from '../../../helpers/service/scripts.ts';

/* `fieldbench clear` where the system refuses. */

let home: string;
beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'fieldbench-clear-'))));
afterEach(() => rm(home, { recursive: true, force: true }));

function clear(directory: string): Promise<{ readonly code: unknown; readonly stderr: string }> {
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), APPDATA: home };
  const args = [CLI_SCRIPT, 'clear', '--data', directory, '--yes'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, _, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stderr }),
    );
  });
}

test.skipIf(process.platform === 'win32')(
  'a directory that the system does not list is said in words, and nothing goes',
  async () => {
    expect(await clear(join(home, 'x'.repeat(300)))).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^fieldbench: Not all of it can be looked at, and nothing was removed \(ENAMETOOLONG: [^\n]*\)\.\n$/,
      ),
    });
  },
);

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'what this user may not remove is said in words, and goes with the same command later',
  async () => {
    const records = join(home, 'directory/data');
    await mkdir(records, { recursive: true });
    await writeFile(join(records, 'wal-1-00000000.log'), '');
    await chmod(records, 0o500);
    const { code, stderr } = await clear(join(home, 'directory'));
    await chmod(records, 0o700);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^fieldbench: Not all of it could be removed \(EACCES: [^\n]*\)\. Give this user the right to[^\n]*\n$/,
    );
    expect((await clear(join(home, 'directory'))).code).toBe(0);
    expect(await readdir(home)).not.toContain('directory');
  },
);

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a directory in a folder of somebody else is emptied, and stays',
  async () => {
    const directory = join(home, 'directory');
    await mkdir(join(directory, 'data'), { recursive: true });
    await writeFile(join(directory, 'data/wal-1-00000000.log'), '');
    await chmod(home, 0o500);
    const { code, stderr } = await clear(directory);
    await chmod(home, 0o700);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readdir(directory)).toEqual([]);
  },
);
