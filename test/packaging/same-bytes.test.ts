import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inProject, ROOT } from '../../scripts/lib/project.mjs';
import { isLeftOut } from '../helpers/left-out.ts';
import { makeRuntime } from './runtime.ts';

/* Two people who build one commit get the same bytes, whichever folder, umask, time zone and language are theirs. */

const run = promisify(execFile);
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-same-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const KINDS = ['deb', 'tar', ...(isLeftOut('the .rpm', ['rpmbuild']) ? [] : ['rpm'])];

/** A copy of the project, which is built and packed there; resolves with the sums of what it makes. */
async function built(
  name: string,
  electronDist: string,
  umask: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const copy = join(folder, name);
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
  });
  for (const file of stdout
    .split('\0')
    .filter((one) => one !== '' && (!one.startsWith('test/') || one.endsWith('tsconfig.json')))) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await cp(inProject(file), join(copy, file));
  }
  await symlink(inProject('node_modules'), join(copy, 'node_modules'));
  const asked = {
    system: 'linux',
    processor: 'x64',
    kinds: KINDS,
    isNamed: true,
    electronDist,
    output: join(copy, 'dist'),
  };
  const program = `
    const { build } = await import('./scripts/lib/build.mjs');
    const { makePackages } = await import('./packaging/make.mjs');
    await build();
    await makePackages(${JSON.stringify(asked)});`;
  await run(
    'sh',
    ['-c', `umask ${umask} && exec "$0" --input-type=module -e "$1"`, process.execPath, program],
    {
      cwd: copy,
      env: { ...process.env, SOURCE_DATE_EPOCH: '1767225600', ...env },
      maxBuffer: 1 << 28,
    },
  );
  const asar = join(copy, '.cache/package/linux-x64/made/linux-unpacked/resources/app.asar');
  const { stdout: sum } = await run('sha256sum', [asar]);
  return `${sum.slice(0, 64)}  app.asar\n${await readFile(join(copy, 'dist/SHA256SUMS'), 'utf8')}`;
}

test('two builds of one commit are the same: archive, packages, list of contents', async () => {
  const electronDist = await makeRuntime(join(folder, 'runtime'));
  const first = await built('one', electronDist, '022', { TZ: 'UTC' });
  const second = await built('another', electronDist, '077', {
    TZ: 'Asia/Kathmandu',
    LC_ALL: 'C',
    LANG: 'de_DE.UTF-8',
  });
  expect(second).toBe(first);
  expect(first.trim().split('\n')).toHaveLength(KINDS.length + 2);
  expect(await readdir(join(folder, 'one/dist'))).toContain('SHA256SUMS');
  await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(folder, 'one/dist') });
});
