// npm run package [-- --dir | --deb …] [--arch x64|arm64] [--electron DIR] [--output DIR]: files to install Fieldbench from.
import '../scripts/lib/require-node.mjs';
import { runMain } from '../scripts/lib/project.mjs';
import { provideBuild, provideTools } from '../scripts/lib/setup.mjs';
import { makePackages } from './make.mjs';
import { readArguments } from './targets.mjs';

await runMain(async () => {
  const asked = readArguments(process.argv.slice(2));
  await provideTools({ tests: false });
  await provideBuild();
  for (const file of await makePackages(asked)) console.log(file);
  return 0;
});
