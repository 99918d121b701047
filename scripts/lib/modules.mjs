import { existsSync, readFileSync } from 'node:fs';
import { runInstallScripts } from './install-scripts.mjs';
import { withNode24Aside } from './node24.mjs';
import { npmCi } from './npm.mjs';
import { CommandError, inProject } from './project.mjs';

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {boolean} [link]
 * @property {string[]} [os] systems it is for; "!name" excludes one
 * @property {string[]} [cpu]
 * @property {string[]} [libc] "glibc", "musl"
 */
/** @typedef {Record<string, LockedPackage>} LockedPackages by folder: "node_modules/zod" */
/** @typedef {{ platform: string, arch: string, libc: () => string }} System libc: asked only where a package is for one */

const LOCK = inProject('package-lock.json');
// npm writes it as the last act of an install, so a half-done one has none, or that of the time before.
const INSTALLED = inProject('node_modules/.package-lock.json');

/**
 * Why node_modules is not what package-lock.json asks for, or null when it is.
 * @param {LockedPackages} wanted
 * @param {LockedPackages} installed
 * @param {System} system
 * @returns {string | null}
 */
export function modulesProblem(wanted, installed, system) {
  for (const [folder, { os, cpu }] of Object.entries(installed)) {
    if (!admits(os, system.platform) || !admits(cpu, system.arch)) {
      return `${folder} is for another system than ${system.platform} ${system.arch}`;
    }
  }
  for (const [folder, { version, optional, link }] of Object.entries(wanted)) {
    if (folder === '' || optional || link) continue;
    const found = installed[folder]?.version;
    if (found === undefined) return `${folder} is missing`;
    if (found !== version) return `${folder} is ${found}, package-lock.json asks for ${version}`;
  }
  const without = leftOut(wanted, installed, system);
  return without === null ? null : `${without} is missing`;
}

/**
 * A program for just this system that npm left out: to its package it is optional, being one of many, and npm says nothing
 * where the Node that runs it is older than such a package asks for.
 * @param {LockedPackages} wanted
 * @param {LockedPackages} installed
 * @param {System} system
 * @returns {string | null} its folder
 */
export function leftOut(wanted, installed, { platform, arch, libc }) {
  for (const [folder, { optional, os, cpu, libc: library }] of Object.entries(wanted)) {
    if (!optional || os === undefined || cpu === undefined || folder in installed) continue;
    if (!admits(os, platform) || !admits(cpu, arch)) continue;
    if (library === undefined || admits(library, libc())) return folder;
  }
  return null;
}

/** @type {System} */
const THIS_SYSTEM = {
  platform: process.platform,
  arch: process.arch,
  libc() {
    const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
    return report.header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  },
};

/**
 * @param {string[] | undefined} list
 * @param {string} value
 */
function admits(list, value) {
  if (list === undefined || list.includes(value)) return true;
  return list.every((entry) => entry.startsWith('!')) && !list.includes(`!${value}`);
}

/** @returns {string | null} why an install is needed, or null */
export function whyInstall() {
  if (!existsSync(INSTALLED)) return 'they are not installed, or not to the end';
  const installed = lockedIn(INSTALLED);
  const gone = Object.keys(installed).find((folder) => !existsSync(inProject(folder)));
  if (gone !== undefined) return `${gone} is missing`;
  return modulesProblem(lockedIn(LOCK), installed, THIS_SYSTEM);
}

/**
 * Installs node_modules as package-lock.json says, the pinned Node included.
 * @param {() => string} lacking what building keytar lacks, after whatever could be installed has been
 * @param {Promise<void>} packages that are installed meanwhile: modules are fetched without them, and compiled with them
 */
export async function installModules(lacking, packages) {
  await Promise.all([cleanInstall(npmCi), packages]);
  await runInstallScripts(lacking);
  const without = leftOut(lockedIn(LOCK), lockedIn(INSTALLED), THIS_SYSTEM);
  if (without === null) return;
  console.log(`npm left out ${without}: installing once more, with the pinned Node …`);
  await withNode24Aside((program) => cleanInstall(() => npmCi(program)));
  await runInstallScripts(lacking);
}

/** @param {() => Promise<import('./run.mjs').Outcome>} install */
async function cleanInstall(install) {
  const { code } = await install();
  if (code !== 0)
    throw new CommandError('the packages of package-lock.json could not be installed; npm said why above.');
}

/**
 * @param {string} file
 * @returns {LockedPackages}
 */
const lockedIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
