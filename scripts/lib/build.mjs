import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmRun } from './npm.mjs';
import { CACHE, CommandError, ROOT, inProject } from './project.mjs';

const SOURCES = [
  'shared',
  'electron',
  'renderer',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
const RESULTS = [
  'out/main/main.js',
  'out/main/cli.js',
  'out/main/worker.js',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
];
const STAMP = path.join(CACHE, 'built');

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

/** Whether out/ is what the sources would give. */
export function isBuilt() {
  return (
    existsSync(STAMP) &&
    RESULTS.every((file) => existsSync(inProject(file))) &&
    readFileSync(STAMP, 'utf8') === sourceHash(ROOT, SOURCES)
  );
}

/** Builds out/. Its stamp goes first and comes back last, so that a broken build is done again. */
export async function build() {
  rmSync(STAMP, { force: true });
  const hash = sourceHash(ROOT, SOURCES);
  const { code } = await npmRun('build');
  if (code !== 0) throw new CommandError('the build failed; the reason stands above.');
  const missing = RESULTS.filter((file) => !existsSync(inProject(file)));
  if (missing.length > 0) throw new CommandError(`the build wrote no ${missing.join(', ')}.`);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(STAMP, hash);
}
