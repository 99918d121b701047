// npm start [-- flags]: the desktop app; where no window can open, the same app in the browser. Started again while it
// runs, it brings up another window. Where nothing is to be installed or built it says one line; `--verbose` shows what the
// builder says, and all addresses of the service.
import './lib/require-node.mjs';
import { runBrowserConsole } from './lib/browser-console.mjs';
import { findElectron, provideElectron, runElectron, whyNotOpened, whyNoWindow } from './lib/electron.mjs';
import { runMain } from './lib/project.mjs';
import { askToStop, openRunning } from './lib/running.mjs';
import { watchReady } from './lib/ready.mjs';
import { whyNoSandbox } from './lib/sandbox.mjs';
import { setup } from './lib/setup.mjs';

const NO_OPEN = '--no-open';
const VERBOSE = '--verbose';

await runMain(async () => {
  const given = process.argv.slice(2);
  const flags = given.filter((flag) => flag !== NO_OPEN && flag !== VERBOSE);
  const open = !given.includes(NO_OPEN);
  const isVerbose = given.includes(VERBOSE);
  await setup({ isVerbose });

  const opened = await openRunning(flags, { open });
  if (opened !== null) return opened;
  const reason = await desktopApp(flags);
  if (typeof reason === 'number') return reason;
  return runBrowserConsole(flags, { open, isVerbose, reason });
});

/**
 * @param {readonly string[]} flags
 * @returns {Promise<number | string>} its exit code, or why it cannot open here
 */
async function desktopApp(flags) {
  const obstacle = whyNoWindow({
    platform: process.platform,
    env: process.env,
    uid: process.getuid?.() ?? -1,
    sandbox: () => whyNoSandbox(findElectron()),
  });
  if (obstacle !== null) return obstacle;
  const electron = await provideElectron();
  if ('missing' in electron) return electron.missing;
  console.log('Fieldbench opens its window.');
  const { result, wasReady } = await watchReady(flags, (watched) =>
    runElectron(electron.program, watched, () => void askToStop(flags)),
  );
  return whyNotOpened(result.code, wasReady) ?? result.code;
}
