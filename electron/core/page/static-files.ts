import { readFile } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import { errorCode } from '../disk/atomic-file.ts';

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
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Reads a file of the folder by its path below it, decoded; "" is index.html. Null for anything else, above all "..". */
export async function readStatic(directory: string, path: string): Promise<StaticFile | null> {
  const file = resolve(directory, path === '' ? 'index.html' : path);
  const type = TYPES[extname(file)];
  if (!file.startsWith(directory + sep) || path.includes('\0') || type === undefined) return null;
  try {
    return { bytes: await readFile(file), type, immutable: path.startsWith('assets/') };
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error))) return null;
    throw error;
  }
}
