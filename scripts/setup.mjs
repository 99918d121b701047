// npm run setup [-- --verbose]: brings what is missing and builds, so that the other commands can run.
import './lib/require-node.mjs';
import { runMain } from './lib/project.mjs';
import { setup } from './lib/setup.mjs';

await runMain(async () => {
  const worked = await setup({ isVerbose: process.argv.includes('--verbose') });
  console.log(worked ? 'Ready: npm start' : 'Everything is in place: npm start');
  return 0;
});
