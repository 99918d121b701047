import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { showProgress } from './build-progress.mjs';
import { NODE_24 } from './node24.mjs';
import { CommandError, ROOT, inProject } from './project.mjs';
import { run } from './run.mjs';
import { dayOf, sourceDate } from './source-date.mjs';

/** What a build reads, below the project. */
export const SOURCES = [
  'shared',
  'client',
  'electron',
  'renderer',
  'docs',
  'scripts/lib/docs-page.mjs',
  'scripts/lib/handover-viewer.mjs',
  'scripts/lib/licences.mjs',
  'scripts/lib/packed.mjs',
  'scripts/lib/source-date.mjs',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
export const RESULTS = [
  'out/main/main.js',
  'out/main/cli.js',
  'out/main/worker.js',
  'out/main/isolate.js',
  'out/main/quickjs.wasm.br',
  'out/main/client.js',
  'out/main/client.d.ts',
  'out/main/handover-viewer.json.br',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
];
/** Says of which sources the build is, and of which day, which About shows; with it, so that a copy of the project with its build has both. */
const STAMP = 'out/built-from';

/**
 * One hash over the names and contents of files and folders, so that it changes when a build would.
 * @param {string} root
 * @param {readonly string[]} names files and folders inside it; one that does not exist counts as empty
 * @returns {string}
 */
export function sourceHash(root, names) {
  const hash = createHash('sha256');
  for (const file of names.flatMap((name) => filesBelow(root, name))) {
    const content = readFileSync(path.join(root, file));
    // Lengths keep two files from reading like one.
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} name
 * @returns {string[]} sorted, with "/" on every system
 */
function filesBelow(root, name) {
  const stats = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [name];
  return readdirSync(path.join(root, name))
    .toSorted()
    .flatMap((entry) => filesBelow(root, `${name}/${entry}`));
}

/**
 * Whether out/ is what the sources would give.
 * @param {string} [root] the project's folder
 */
export function isBuilt(root = ROOT) {
  const stamp = path.join(root, STAMP);
  if (!existsSync(stamp) || !RESULTS.every((file) => existsSync(path.join(root, file)))) return false;
  const [hash, day] = readFileSync(stamp, 'utf8').split(' ');
  const today = dayOf(sourceDate(process.env, root));
  // What was copied without its repository is as it was.
  return hash === sourceHash(root, SOURCES) && (today === null || day === today);
}

/**
 * The builder: ends with its exit code, and with what it wrote where that was not shown as it came.
 * @typedef {(how: { isVerbose: boolean, hear: (text: string) => void }) => Promise<{ code: number, output: string }>} Builder
 */

/**
 * Builds out/, and says how far it is; what the builder says with `isVerbose`, or when it fails. Its stamp goes first and comes back
 * last, so that a broken build is done again.
 * @param {{ root?: string, isVerbose?: boolean, work?: Builder, out?: Parameters<typeof showProgress>[0] }} [options] root: the
 *   project's folder; out: where it says so
 */
export async function build({
  root = ROOT,
  isVerbose = false,
  work = electronVite,
  out = process.stdout,
} = {}) {
  const stamp = path.join(root, STAMP);
  rmSync(stamp, { force: true });
  const built = `${sourceHash(root, SOURCES)} ${dayOf(sourceDate(process.env, root))}`;
  const progress = isVerbose ? null : showProgress(out);
  let isDone = false;
  try {
    const { code, output } = await work({ isVerbose, hear: (text) => progress?.hear(text) });
    if (code !== 0)
      throw new CommandError(isVerbose ? 'the build failed.' : `the build failed:\n${output.trimEnd()}`);
    const missing = RESULTS.filter((file) => !existsSync(path.join(root, file)));
    if (missing.length > 0) throw new CommandError(`the build wrote no ${missing.join(', ')}.`);
    isDone = true;
  } finally {
    progress?.end(isDone);
  }
  writeFileSync(stamp, built);
}

/** @type {Builder} */
const electronVite = ({ isVerbose, hear }) =>
  run(NODE_24, [inProject('node_modules/electron-vite/bin/electron-vite.js'), 'build'], {
    output: isVerbose ? 'show' : 'quiet',
    onOutput: hear,
  });
