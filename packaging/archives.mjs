import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  cpSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { settle } from './settle.mjs';
import { tool } from './tool.mjs';

/**
 * Makes a .tar.gz with one folder in it, by GNU tar and gzip: sorted, one date, nobody's names.
 * @param {{ tree: string, work: string, output: string, name: string, date: number }} what tree: a folder; work: a folder for its
 *   copy, which is emptied; name: of the file without its ending, and of the folder in it
 * @returns {Promise<string>} its path
 */
export async function makeTarGz({ tree, work, output, name, date }) {
  rmSync(work, { recursive: true, force: true });
  cpSync(tree, path.join(work, name), { recursive: true });
  settle(work, date, { helper: 0o755 });
  const file = path.join(output, `${name}.tar.gz`);
  await packTarGz({ file, work, name, date, level: 9 });
  return file;
}

/**
 * Packs a folder as a .tar.gz, by GNU tar and gzip: sorted, one date, nobody's names. Throws CommandError.
 * @param {{ file: string, work: string, name: string, date: number, level: number }} what name: of a folder in the folder work; level:
 *   of gzip
 */
export async function packTarGz({ file, work, name, date, level }) {
  const same = [
    '--sort=name',
    `--mtime=@${date}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--format=gnu',
  ];
  // -n: without the name and the date of a file that there is not.
  const packed = ['--use-compress-program', `gzip -${level}n`];
  await tool('tar', ['--create', '--file', file, '--directory', work, ...same, ...packed, name]);
}

/**
 * Makes a .zip with one folder in it.
 * @param {{ tree: string, output: string, name: string, date: number, also?: Readonly<Record<string, string>> }} what also: by name,
 *   texts of further files in the folder
 * @returns {Promise<string>} its path
 */
export async function makeZip({ tree, output, name, date, also = {} }) {
  const zip = new ZipFile();
  const common = { mtime: new Date(date * 1000), forceDosTimestamp: true };
  for (const file of filesIn(tree)) {
    const mode = (statSync(path.join(tree, file)).mode & 0o100) === 0 ? 0o100644 : 0o100755;
    zip.addFile(path.join(tree, file), `${name}/${file}`, { ...common, mode });
  }
  for (const [file, text] of Object.entries(also))
    zip.addBuffer(Buffer.from(text), `${name}/${file}`, { ...common, mode: 0o100644 });
  zip.end();
  const made = path.join(output, `${name}.zip`);
  await pipeline(zip.outputStream, createWriteStream(made));
  return made;
}

/**
 * @param {string} folder
 * @returns {string[]} sorted, with "/" on every system
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted();
}

/**
 * Writes SHA256SUMS over all files of a folder, as sha256sum reads it.
 * @param {string} folder
 */
export async function writeSums(folder) {
  const sums = path.join(folder, 'SHA256SUMS');
  rmSync(sums, { force: true });
  const lines = [];
  for (const file of filesIn(folder).filter((name) => !name.includes('/')))
    lines.push(`${await sha256(path.join(folder, file))}  ${file}\n`);
  writeFileSync(sums, lines.join(''));
}

/** @param {string} file */
async function sha256(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
