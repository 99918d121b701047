import { NODE_24 } from './node24.mjs';
import { CLI } from './project.mjs';
import { valueOf } from './ready.mjs';
import { run } from './run.mjs';

const NOT_REACHABLE = 4;

/**
 * Brings up the app that already runs on the same data directory: its window, or a fresh address of its console.
 * @param {readonly string[]} flags of `serve`
 * @param {{ open: boolean }} options open: false only prints the address
 * @returns {Promise<number | null>} the exit code; null where none runs, so that it is to be started
 */
export async function openRunning(flags, { open }) {
  if (flags.includes('--help') || flags.includes('-h')) return null;
  const { code, output } = await ask('open', flags, open ? [] : ['--print']);
  if (code === NOT_REACHABLE) return null;
  console.log(code === 0 ? `Fieldbench runs already: ${output.trimEnd()}` : output.trimEnd());
  return code;
}

/**
 * Opens the console of a service that has just started in the browser, where there is one to be seen.
 * @param {readonly string[]} flags
 */
export async function openStarted(flags) {
  const { code, output } = await ask('open', flags, []);
  if (code !== 0)
    console.warn(`The browser did not open (${output.trim()}); the console's address stands above.`);
}

/**
 * Begins to stop the service of a data directory; who started it sees it end.
 * @param {readonly string[]} flags
 */
export async function askToStop(flags) {
  const { code, output } = await ask('stop', flags, []);
  if (code !== 0) console.warn(output.trim());
}

/**
 * @param {'open' | 'stop'} command
 * @param {readonly string[]} flags
 * @param {readonly string[]} more
 */
function ask(command, flags, more) {
  const data = valueOf(flags, '--data');
  const args = [CLI, command, ...(data === undefined ? [] : ['--data', data]), ...more];
  return run(NODE_24, args, { cwd: process.cwd(), output: 'quiet' });
}
