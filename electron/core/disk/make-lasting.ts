import { dirname, relative, resolve, sep } from 'node:path';
import { errorCode } from './errors.ts';
import type { Files } from './files.ts';

/**
 * Makes a folder and its parents, whose names are durable then: a power cut must not take a folder away with all that was
 * synced in it. Throws Node's errors. A parent that may be written to but not opened cannot be synced, and is left to
 * the file system.
 */
export async function makeLasting(files: Files, path: string, mode: number): Promise<void> {
  const made = await files.makeDirectory(path, mode);
  if (made === undefined) return;
  const top = dirname(resolve(made));
  let folder = top;
  for (const name of relative(top, resolve(path)).split(sep)) {
    await syncWherePossible(files, folder);
    folder = resolve(folder, name);
  }
}

async function syncWherePossible(files: Files, folder: string): Promise<void> {
  try {
    await files.syncDirectory(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
  }
}
