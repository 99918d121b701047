import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isSettled, scriptsToRun } from '../../../scripts/lib/install-scripts.mjs';
import { npmCommand } from '../../../scripts/lib/npm.mjs';
import { inProject } from '../../../scripts/lib/project.mjs';
import { run } from '../../../scripts/lib/run.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-scripts-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A project beside a package whose script says that it ran; its settings are those of a folder of this one. */
async function projectWith(settings: string): Promise<void> {
  const install = `node -e "require('fs').writeFileSync('ran', '')"`;
  await mkdir(join(folder, 'guest'));
  await writeFile(
    join(folder, 'guest/package.json'),
    JSON.stringify({ name: 'guest', version: '1.0.0', scripts: { install } }),
  );
  await npm('pack', './guest');
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'host', version: '1.0.0', dependencies: { guest: 'file:guest-1.0.0.tgz' } }),
  );
  await cp(inProject(settings), join(folder, '.npmrc'));
}

async function npm(...args: string[]): Promise<void> {
  const { command, args: first } = npmCommand(process.env);
  const npm_config_cache = join(folder, 'cache');
  const env = { ...process.env, npm_config_cache, npm_config_offline: 'true' };
  const { code, output } = await run(command, [...first, ...args], { cwd: folder, env, output: 'quiet' });
  expect(code, output).toBe(0);
}

describe('what an install runs', () => {
  test.for(['.npmrc', 'bench/.npmrc'])('is no script of a package, by %s', async (settings) => {
    await projectWith(settings);
    await npm('install');
    expect(await readdir(join(folder, 'node_modules/guest'))).not.toContain('ran');
    await npm('rebuild', '--ignore-scripts=false', 'guest');
    expect(await readdir(join(folder, 'node_modules/guest'))).toContain('ran');
  });

  test('says nothing where its scripts run, and why where one fails', async () => {
    const rebuilt = async () => {
      const program = `import { npmRebuild } from '${pathToFileURL(inProject('scripts/lib/npm.mjs')).href}';
        process.exitCode = (await npmRebuild('guest', ${JSON.stringify(folder)})).code;`;
      const args = ['--input-type=module', '-e', program];
      const { code, output } = await run(process.execPath, args, { output: 'quiet' });
      return { code, output };
    };
    await projectWith('.npmrc');
    await npm('install');
    expect(await rebuilt()).toEqual({ code: 0, output: '' });
    const file = join(folder, 'node_modules/guest/package.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace("'ran'", "'no/folder'"));
    expect(await rebuilt()).toEqual({ code: 1, output: expect.stringContaining('no/folder') });
  });

  test('names every package that has a script, as wanted or not', async () => {
    const lock = JSON.parse(await readFile(inProject('package-lock.json'), 'utf8')) as {
      packages: Record<string, { hasInstallScript?: boolean; optional?: boolean }>;
    };
    const { allowScripts } = JSON.parse(await readFile(inProject('package.json'), 'utf8')) as {
      allowScripts: Record<string, boolean>;
    };
    const having = Object.keys(lock.packages).filter((name) => lock.packages[name]?.hasInstallScript);
    const names = having.map((place) => place.replace('node_modules/', ''));
    expect(Object.keys(allowScripts).toSorted()).toEqual(names.toSorted());
  });
});

describe('the scripts to run', () => {
  const allowed = { node: true, keytar: true, telemetry: false, 'of-another-system': true };
  const isInstalled = (name: string) => name !== 'of-another-system';

  test('are those that are wanted, of what is installed, until what they make is there', () => {
    expect(scriptsToRun(allowed, isInstalled, () => false)).toEqual(['node', 'keytar']);
    expect(scriptsToRun(allowed, isInstalled, (name) => name === 'node')).toEqual(['keytar']);
    expect(scriptsToRun(allowed, isInstalled, () => true)).toEqual([]);
  });
});

describe('a keytar that could not be built', () => {
  test('is not built at every start, but again when something that it lacked is there', async () => {
    const stamp = join(folder, 'without-keytar');
    expect(isSettled(stamp, 'python3 make')).toBe(false);
    await writeFile(stamp, 'python3 make');
    expect(isSettled(stamp, 'python3 make')).toBe(true);
    expect(isSettled(stamp, 'python3')).toBe(false);
  });
});
