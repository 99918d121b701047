/*
 * Lets plain Node run an app from its archive: node --import asar.ts run.ts resources/app.asar/out/main/main.js [flags]
 *
 * As Electron does (electron/lib/asar/fs-wrapper.ts), a file that is opened is copied out first, what was kept outside is read in
 * app.asar.unpacked, and nothing else can be done in an archive. A package is looked for in it alone, and never further up.
 */
import fs from 'node:fs';
import { builtinModules, registerHooks, syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>;
  readonly unpacked?: true;
  readonly size?: number;
  /** From the end of the header, in decimals. */
  readonly offset?: string;
}

const { readFileSync, writeFileSync, mkdtempSync } = fs;
const archives = new Map<string, { readonly root: Entry; readonly bytes: Buffer; readonly start: number }>();
const copies = new Map<string, string>();
let folder: string | null = null;

/** Chromium's Pickle, twice: the length of the header, and the header, which is JSON with a length of its own. */
function archiveAt(path: string) {
  const known = archives.get(path);
  if (known) return known;
  const bytes = readFileSync(path);
  const root = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))) as Entry;
  const opened = { root, bytes, start: 8 + bytes.readUInt32LE(4) };
  archives.set(path, opened);
  return opened;
}

/** A path within an archive as the archive and what is asked of it; null for every other path, a folder named so among them. */
function inArchive(path: unknown): { readonly archive: string; readonly inside: string } | null {
  const said = path instanceof URL ? fileURLToPath(path) : path;
  const [, archive, inside] = (typeof said === 'string' && /^(.*?\.asar)\/(.+)$/.exec(said)) || [];
  if (archive === undefined || inside === undefined) return null;
  return fs.statSync(archive, { throwIfNoEntry: false })?.isFile() ? { archive, inside } : null;
}

/** The real file that stands for one in an archive; null for every other path. */
function outside(path: unknown): string | null {
  const place = inArchive(path);
  if (place === null) return null;
  const { archive, inside } = place;
  const { root, bytes, start } = archiveAt(archive);
  let entry: Entry | undefined = root;
  for (const name of inside.split('/')) entry = entry?.files?.[name];
  if (entry === undefined || entry.files !== undefined) return null;
  if (entry.unpacked) return `${archive}.unpacked/${inside}`;
  const key = `${archive}/${inside}`;
  const copied = copies.get(key);
  if (copied !== undefined) return copied;
  folder ??= mkdtempSync(join(tmpdir(), 'stand-in-asar-'));
  const copy = join(folder, `${copies.size}-${basename(inside)}`);
  const from = start + Number(entry.offset);
  writeFileSync(copy, bytes.subarray(from, from + (entry.size ?? 0)), { mode: 0o400 });
  copies.set(key, copy);
  return copy;
}
process.on('exit', () => folder && fs.rmSync(folder, { recursive: true, force: true }));

/**
 * What Node opens instead: the copy, or for what an archive lacks a place where there is nothing, since below a file Node would say
 * ENOTDIR, and Electron says ENOENT.
 */
function openedAs(path: unknown): unknown {
  const place = inArchive(path);
  return place === null ? path : (outside(path) ?? `${place.archive}.nothing/${place.inside}`);
}

type Call = (path: unknown, ...rest: unknown[]) => unknown;
function letIn(of: object, names: readonly string[]): void {
  const functions = of as Record<string, Call>;
  for (const name of names) {
    const real = functions[name];
    if (real === undefined) throw new Error(`fs has no ${name}`);
    functions[name] = (path, ...rest) => real(openedAs(path), ...rest);
  }
}
letIn(fs, ['existsSync', 'readFileSync', 'openSync', 'open', 'readFile', 'createReadStream', 'accessSync']);
letIn(fs.promises, ['open', 'readFile', 'access']);
syncBuiltinESMExports();

const isInArchive = (url: string | undefined) => url?.startsWith('file:') === true && url.includes('.asar/');

/** The main script of a package in the archive from which it is asked for. */
function packageOf(name: string, parent: string): string {
  const [, archive = ''] = /^(.*?\.asar)\//.exec(fileURLToPath(parent)) ?? [];
  const home = `${archive}/node_modules/${name}`;
  const about = outside(`${home}/package.json`);
  if (about === null)
    throw Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' });
  const { main = 'index.js' } = JSON.parse(readFileSync(about, 'utf8')) as { readonly main?: string };
  return outside(join(home, main)) ?? join(home, main);
}

registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL;
    if (isInArchive(specifier)) return { url: specifier, shortCircuit: true };
    if (parent === undefined || !isInArchive(parent)) return next(specifier, context);
    if (/^\.{0,2}\//.test(specifier)) return { url: new URL(specifier, parent).href, shortCircuit: true };
    if (specifier === 'electron' || specifier.startsWith('node:') || builtinModules.includes(specifier))
      return next(specifier, context);
    return { url: pathToFileURL(packageOf(specifier, parent)).href, shortCircuit: true };
  },
  load(url, context, next) {
    if (!isInArchive(url)) return next(url, context);
    const file = outside(fileURLToPath(url));
    if (file === null)
      throw Object.assign(new Error(`Cannot find module '${fileURLToPath(url)}'`), {
        code: 'ERR_MODULE_NOT_FOUND',
      });
    return { format: 'module', source: readFileSync(file), shortCircuit: true };
  },
});
