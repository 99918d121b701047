// npm run package:npm [-- FOLDER]: the service and its client as one package for npm.
import '../scripts/lib/require-node.mjs';
import path from 'node:path';
import { CommandError, inProject, runMain } from '../scripts/lib/project.mjs';
import { provideBuild, provideTools } from '../scripts/lib/setup.mjs';
import { makeNpm } from './npm/make.mjs';

await runMain(async () => {
  const [folder = inProject('dist'), ...more] = process.argv.slice(2);
  if (more.length > 0 || folder.startsWith('-'))
    throw new CommandError('npm run package:npm takes one folder for the file, or none: dist/.');
  await provideTools({ tests: false });
  await provideBuild();
  console.log(await makeNpm(path.resolve(folder)));
  return 0;
});
