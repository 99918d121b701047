// npm run test:electron-node [-- files]: contract and TLS tests under the Node inside Electron, whose TLS is BoringSSL's and not
// OpenSSL's. Needs its runtime as it is downloaded: what ships has the fuse of ELECTRON_RUN_AS_NODE off.
import './lib/require-node.mjs';
import { findElectron } from './lib/electron.mjs';
import { CommandError, inProject, runMain } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { provideBuild, provideTools } from './lib/setup.mjs';

const CHOSEN = ['test/contract/', 'test/unit/tls/', 'test/unit/http/'];

await runMain(async () => {
  const program = findElectron();
  if (program === null) throw new CommandError('Electron is not here: npm run setup:electron.');
  await provideTools({ tests: true });
  await provideBuild();
  // What is tested is what ships (test/helpers/service/scripts.ts), started by the same program.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', FIELDBENCH_TEST_BUILT: '1' };
  const about =
    'const { electron, node, openssl } = process.versions; console.log({ electron, node, openssl })';
  const { code } = await run(program, ['-e', about], { env });
  if (code !== 0) throw new CommandError(`${program} runs no scripts (ELECTRON_RUN_AS_NODE).`);
  const files = process.argv.length > 2 ? process.argv.slice(2) : CHOSEN;
  const vitest = inProject('node_modules/vitest/vitest.mjs');
  return (await run(program, [vitest, 'run', ...files], { env })).code;
});
