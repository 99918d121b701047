// npm run bench: builds the app, installs what it is compared with, then runs the bench under the pinned Node.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provideBuild } from '../scripts/lib/setup.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
if (!existsSync(new URL('node_modules', import.meta.url))) run(npm, ['ci'], process.platform === 'win32');
await provideBuild();
// What ships is compiled: the time and memory of a compiler of TypeScript in each process are not to be measured.
const compiled = mkdtempSync(join(tmpdir(), 'fieldbench-bench-compiled-'));
process.env['NODE_COMPILE_CACHE'] = compiled;
process.on('exit', () => rmSync(compiled, { recursive: true, force: true }));
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
