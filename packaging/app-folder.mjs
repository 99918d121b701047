import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packed } from '../scripts/lib/packed.mjs';
import { inProject } from '../scripts/lib/project.mjs';
import { isNotShipped } from './not-shipped.mjs';
import { APP } from './identity.mjs';
import { LICENCES } from './licences.mjs';

/** Of keytar, what a program loads. */
const KEYTAR = ['package.json', 'LICENSE.md', 'lib/keytar.js', 'build/Release/keytar.node'];

/** Files of the page that are packed by Brotli, to a tenth or a quarter: core/page/static-files.ts unpacks them. */
const isPacked = (/** @type {string} */ file) =>
  file === 'docs/index.html' || (file.startsWith('assets/') && file.endsWith('.css'));

/**
 * Makes the folder whose files the archive of an installed app holds: what was built, and keytar where it was built for the
 * same system. The licences are beside the archive, with those of Electron. Nothing else is needed (docs/decisions.md, "What is built needs no node_modules").
 * @param {string} folder is emptied
 * @param {{ platform: string, arch: string }} target as Node names them
 * @returns {{ hasKeytar: boolean }}
 */
export function makeAppFolder(folder, { platform, arch }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const part of ['main', 'preload', 'renderer'])
    cpSync(inProject(`out/${part}`), path.join(folder, 'out', part), {
      recursive: true,
      filter: (file) => !isNotShipped(file) && path.basename(file) !== LICENCES,
    });
  const page = path.join(folder, 'out/renderer');
  for (const name of readdirSync(page, { recursive: true, encoding: 'utf8' })) {
    if (!isPacked(name.replaceAll(path.sep, '/'))) continue;
    const file = path.join(page, name);
    writeFileSync(`${file}.br`, packed(readFileSync(file)));
    rmSync(file);
  }
  const { name, version, description, license, homepage, main, desktopName, author } = APP;
  const about = { name, version, description, license, homepage, author, type: 'module', main, desktopName };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);

  const native = inProject('node_modules/keytar/build/Release/keytar.node');
  const hasKeytar = platform === process.platform && arch === process.arch && existsSync(native);
  if (hasKeytar)
    for (const file of KEYTAR)
      cpSync(inProject(`node_modules/keytar/${file}`), path.join(folder, 'node_modules/keytar', file));
  return { hasKeytar };
}
