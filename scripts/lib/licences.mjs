// The licences of all libraries whose code is in what is built, as one text: licences.txt beside the app's page. packaging/licences.mjs makes of it what ships.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {{ name: string, version: string, licence: string, texts: readonly string[] }} Library */

/** What ships beside the bundles, and is in none of them. */
const BESIDE = ['keytar'];

/**
 * A plugin for each of the builds, which run one after another: the last one, for which `emit` is true, writes the file.
 * @param {Set<string>} folders of packages, filled by all of them
 * @param {{ emit: boolean }} options
 * @returns {import('vite').Plugin}
 */
export const collectLicences = (folders, { emit }) => ({
  name: 'licences',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        for (const id of chunk.moduleIds) {
          const folder = packageFolder(id);
          if (folder !== null) folders.add(folder);
        }
    if (!emit) return;
    for (const name of BESIDE) folders.add(path.resolve('node_modules', name));
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: licencesOf([...folders]) });
  },
});

/**
 * @param {string} id of a module, as Rolldown has it
 * @returns {string | null} the folder of its package; null for code of our own
 */
export const packageFolder = (id) =>
  /^\0?(.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1] ?? null;

/**
 * Every library by name, with the texts that its package brings. Throws where a package says no licence.
 * @param {readonly string[]} folders
 * @param {(folder: string) => Library} [read]
 */
export function licencesOf(folders, read = readLibrary) {
  /** @type {Map<string, Library>} */
  const libraries = new Map(
    folders.map(read).map((library) => [`${library.name} ${library.version}`, library]),
  );
  const sections = [...libraries]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, library]) => section(library));
  return `${readFileSync(path.resolve('LICENSE'), 'utf8')}\n${HEAD}\n${sections.join('\n')}`;
}

const HEAD = `So much of Fieldbench itself. It has code of the libraries below, each under its own licence. Behind them, where it ships
with what runs it, are the licences of that: Electron’s and Chromium’s credits, or those of Node.js.
`;

/** @param {Library} library */
const section = ({ name, version, licence, texts }) =>
  `${'='.repeat(80)}\n${name} ${version}: ${licence}\n\n${texts.map((text) => `${text.trim()}\n`).join('\n')}`;

/**
 * @param {string} folder
 * @returns {Library}
 */
function readLibrary(folder) {
  /** @type {{ name: string, version: string, license?: unknown, author?: string | { name: string } }} */
  const about = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { name, version, license: licence, author } = about;
  if (typeof licence !== 'string')
    throw new Error(`${name} ${version} names no licence in its package.json.`);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(file));
  const texts = files
    .toSorted()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n'));
  if (texts.length > 0) return { name, version, licence, texts };
  // Some that are under the MIT License say so by its name alone.
  if (licence !== 'MIT') throw new Error(`${name} ${version} (${licence}) brings no text of its licence.`);
  const holder = typeof author === 'string' ? author : author?.name;
  return { name, version, licence, texts: [mitOf(holder ?? `the authors of ${name}`)] };
}

/** @param {string} holder */
const mitOf = (holder) =>
  readFileSync(path.resolve('LICENSE'), 'utf8').replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
