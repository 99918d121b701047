// npm run build [-- --verbose]: builds out/, whatever is there.
import './lib/require-node.mjs';
import { build } from './lib/build.mjs';
import { runMain } from './lib/project.mjs';

await runMain(async () => {
  await build({ isVerbose: process.argv.includes('--verbose') });
  return 0;
});
