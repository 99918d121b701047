// npm start [-- flags]: the desktop app; where no window can open, the same app in the browser.
import './lib/require-node.mjs';
import { runBrowserConsole } from './lib/browser-console.mjs';
import { provideElectron, runElectron, whyNoWindow } from './lib/electron.mjs';
import { runMain } from './lib/project.mjs';
import { setup } from './lib/setup.mjs';

const NO_OPEN = '--no-open';
// What a shell or the loader answers when the program, or a library that it needs, is not there.
const CANNOT_RUN = 127;

await runMain(async () => {
  const given = process.argv.slice(2);
  const flags = given.filter((flag) => flag !== NO_OPEN);
  await setup();

  const reason = await desktopApp(flags);
  if (typeof reason === 'number') return reason;
  console.log(`${reason}: Fieldbench runs in the browser instead, at the console address below.`);
  return (await runBrowserConsole(flags, { open: !given.includes(NO_OPEN) })).code;
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
  });
  if (obstacle !== null) return obstacle;
  const electron = await provideElectron();
  if ('missing' in electron) return electron.missing;
  const { code } = await runElectron(electron.program, flags);
  return code === CANNOT_RUN ? 'Electron lacks a library of this system (named above)' : code;
}
