// npm run setup:electron: Electron's runtime, and on Linux the right to a sandbox where the system gives it to named programs alone.
import './lib/require-node.mjs';
import path from 'node:path';
import { provideElectron } from './lib/electron.mjs';
import { CommandError, runMain } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { whyNoSandbox } from './lib/sandbox.mjs';
import { provideTools } from './lib/setup.mjs';
import { rootPrivilege } from './lib/system-packages.mjs';

await runMain(async () => {
  await provideTools({ tests: true });
  const found = await provideElectron();
  if ('missing' in found) throw new CommandError(`${found.missing}.`);
  const why = process.platform === 'linux' ? whyNoSandbox(found.program) : null;
  if (why !== null) await giveSandbox(path.join(path.dirname(found.program), 'chrome-sandbox'), why);
  console.log(`Electron is here: ${found.program}`);
  return 0;
});

/**
 * @param {string} helper Chromium's, which makes the sandbox where programs may not (docs/linux/suid_sandbox_development.md)
 * @param {string} why it is needed
 */
async function giveSandbox(helper, why) {
  const privilege = await rootPrivilege();
  if (privilege === null) throw new CommandError(`${why}.`);
  for (const words of [
    ['chown', 'root:root', helper],
    ['chmod', '4755', helper],
  ]) {
    const [command = '', ...args] = [...privilege, ...words];
    if ((await run(command, args)).code !== 0) throw new CommandError(`${why}.`);
  }
}
