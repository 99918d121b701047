import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { inProject } from '../scripts/lib/project.mjs';
import { APP, IDS, PRODUCT } from './identity.mjs';
import { settle } from './settle.mjs';
import { tool } from './tool.mjs';

/**
 * Makes Windows' installer of a user by makensis, which is NSIS's compiler on every system.
 * @param {{ tree: string, output: string, processor: string, date: number, sign: import('./tree.mjs').Sign, target?: string }} what
 *   date: seconds since 1970; target: of NSIS, where it is not the usual one
 * @returns {Promise<string>} its path
 */
export async function makeInstaller({ tree, output, processor, date, sign, target }) {
  settle(tree, date, { helper: 0o755 });
  const file = path.join(output, `${PRODUCT}-${APP.version}-${processor}-setup.exe`);
  const bytes = readdirSync(tree, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, name) => sum + statSync(path.join(tree, name)).size,
    0,
  );
  const values = {
    TREE: tree,
    OUTPUT: file,
    VERSION: APP.version,
    APP_ID: IDS.windows,
    ICON: inProject('packaging/icons/icon.ico'),
    KIBIBYTES: String(Math.ceil(bytes / 1024)),
    ...(target !== undefined && { TARGET: target }),
  };
  const definitions = Object.entries(values).map(([name, value]) => `-D${name}=${value}`);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(date) };
  // -WX: a warning is an error.
  await tool('makensis', ['-V2', '-WX', ...definitions, inProject('packaging/windows/installer.nsi')], {
    env,
  });
  await sign(file);
  return file;
}
