import { NODE_24 } from './node24.mjs';
import { CLI } from './project.mjs';
import { watchReady } from './ready.mjs';
import { run } from './run.mjs';
import { openStarted } from './running.mjs';

/**
 * The service without a window, which says the address of its console in one line, and the console in the browser as soon as
 * it listens. A start that fails says why in the service's own words.
 * @param {readonly string[]} flags of `serve`
 * @param {{ open: boolean, isVerbose: boolean, reason: string }} options open: false leaves the browser alone; isVerbose: says
 *   all addresses of the service; reason: why there is no window
 * @returns {Promise<number>} the exit code
 */
export async function runBrowserConsole(flags, { open, isVerbose, reason }) {
  const hasConsole = !flags.includes('--strict');
  const instead = `${reason}: Fieldbench runs in the browser instead`;
  const isBrief = hasConsole && !isVerbose;
  if (!isBrief) console.log(`${instead}, at the console address below.`);
  const greeting = isBrief ? ['--greeting', `${instead}: {console}`] : [];
  /** @param {readonly string[]} given */
  const serve = (given) =>
    run(NODE_24, [CLI, 'serve', ...greeting, ...given], { cwd: process.cwd(), forward: true, input: true });
  if (!open || !hasConsole) return (await serve(flags)).code;
  /** @type {Promise<void>} */
  let opening = Promise.resolve();
  const { result } = await watchReady(flags, serve, () => {
    opening = openStarted(flags);
  });
  await opening;
  return result.code;
}
