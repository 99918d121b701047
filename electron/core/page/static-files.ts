import { extname, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { errorCode } from '../disk/errors.ts';
import { nodeFiles } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';

export interface StaticFile {
  readonly bytes: Uint8Array;
  readonly type: string;
  /** Its name changes with its content, so that a browser may keep it for good. */
  readonly immutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Codes of paths that name no file. */
const NO_FILE = new Set<string | undefined>(['EISDIR', 'ENOTDIR', 'ENAMETOOLONG']);

const unpack = promisify(brotliDecompress);

/**
 * Reads a file of the folder by its path below it, decoded; "" is index.html. One that an installed app has packed lies there with ".br"
 * behind its name. Null for anything else, above all "..".
 */
export async function readStatic(directory: string, path: string): Promise<StaticFile | null> {
  const file = resolve(directory, path === '' ? 'index.html' : path);
  const type = TYPES[extname(file)];
  if (!file.startsWith(directory + sep) || path.includes('\0') || type === undefined) return null;
  try {
    const bytes = (await readWhole(nodeFiles, file)) ?? (await readPacked(`${file}.br`));
    return bytes && { bytes, type, immutable: path.startsWith('assets/') };
  } catch (error) {
    if (NO_FILE.has(errorCode(error))) return null;
    throw error;
  }
}

async function readPacked(file: string): Promise<Uint8Array | null> {
  const bytes = await readWhole(nodeFiles, file);
  return bytes && unpack(bytes);
}
