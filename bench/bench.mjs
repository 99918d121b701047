// npm run bench: installs what the bench compares with, then runs it under the pinned Node.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
if (!existsSync(new URL('node_modules', import.meta.url))) run(npm, ['ci'], process.platform === 'win32');
run('node', ['run.ts', ...process.argv.slice(2)], false);

/**
 * @param {string} command
 * @param {string[]} args
 * @param {boolean} shell
 */
function run(command, args, shell) {
  const { status } = spawnSync(command, args, { cwd: here, stdio: 'inherit', shell });
  if (status !== 0) process.exit(status ?? 1);
}
