import { NODE_24 } from './node24.mjs';
import { CLI } from './project.mjs';
import { watchReady } from './ready.mjs';
import { run } from './run.mjs';
import { openStarted } from './running.mjs';

/**
 * The service without a window, which prints the address of its console, and the console in the browser as soon as it
 * listens. A start that fails says why in the service's own words.
 * @param {readonly string[]} flags of `serve`
 * @param {{ open: boolean }} options open: false leaves the browser alone
 * @returns {Promise<number>} the exit code
 */
export async function runBrowserConsole(flags, { open }) {
  /** @param {readonly string[]} given */
  const serve = (given) =>
    run(NODE_24, [CLI, 'serve', ...given], { cwd: process.cwd(), forward: true, input: true });
  const hasConsole = !flags.includes('--strict');
  if (!open || !hasConsole) return (await serve(flags)).code;
  /** @type {Promise<void>} */
  let opening = Promise.resolve();
  const { result } = await watchReady(flags, serve, () => {
    opening = openStarted(flags);
  });
  await opening;
  return result.code;
}
