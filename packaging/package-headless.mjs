// npm run package:headless [-- FOLDER]: the service without a window for rigs and labs, with its Node, as one .tar.gz.
import '../scripts/lib/require-node.mjs';
import path from 'node:path';
import { releaseHeadless } from './headless/make.mjs';
import { APP } from './identity.mjs';
import { CommandError, inProject, runMain } from '../scripts/lib/project.mjs';
import { provideBuild, provideTools } from '../scripts/lib/setup.mjs';
import { packedDate } from './packed-date.mjs';

await runMain(async () => {
  const [folder = inProject('dist'), ...more] = process.argv.slice(2);
  if (more.length > 0 || folder.startsWith('-'))
    throw new CommandError('npm run package:headless takes one folder for the file, or none: dist/.');
  if (process.platform !== 'linux')
    throw new CommandError(
      'it is made on Linux, for Linux; elsewhere run the service from a clone (docs/install.md).',
    );
  const date = packedDate();
  await provideTools({ tests: false });
  await provideBuild();
  const options = { output: path.resolve(folder), version: APP.version, date };
  for (const file of await releaseHeadless(options)) console.log(file);
  return 0;
});
