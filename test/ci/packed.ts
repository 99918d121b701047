import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { makeNpm } from '../../packaging/npm/make.mjs';
import { inProject } from '../../scripts/lib/project.mjs';
import { npmCommand } from '../../scripts/lib/npm.mjs';

/** A folder of somebody who has installed the package, and knows nothing of this project. */
export interface Installed {
  readonly folder: string;
  /** Runs a command there, with `fieldbench` on the path. Rejects with what it said where it fails. */
  run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
  remove(): Promise<void>;
}

/** A registry that there is not: nothing may be asked of any. */
const NOWHERE = 'http://127.0.0.1:9/';

/** Packs what was built, and installs it as others do. */
export async function installPacked(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-ci-'));
  const file = await makeNpm(join(folder, 'vendor'));
  const npm = npmCommand(process.env);
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'boiler', private: true, type: 'module' }),
  );
  const install = [
    'install',
    '--no-audit',
    '--no-fund',
    `--registry=${NOWHERE}`,
    `--cache=${join(folder, '.npm')}`,
    file,
  ];
  execFileSync(npm.command, [...npm.args, ...install], { cwd: folder, stdio: 'pipe' });
  return {
    folder,
    run(command, args, env = {}) {
      // A Vitest in there is nobody's worker.
      const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
      const path = [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']].join(
        delimiter,
      );
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      execFile(
        command,
        args,
        { cwd: folder, env: { ...Object.fromEntries(own), ...env, PATH: path } },
        (error, stdout, stderr) =>
          error ? reject(new Error(`${stdout}${stderr}`, { cause: error })) : resolve(stdout),
      );
      return promise;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Lets a folder use packages of this project, where it would have some of its own. */
export async function lend(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(inProject(`node_modules/${name}`), place);
  }
}

/** Puts a program in the way of another of that name. */
export async function standIn(folder: string, name: string, text: string): Promise<void> {
  const file = join(folder, 'node_modules/.bin', name);
  await rm(file, { force: true });
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
}
