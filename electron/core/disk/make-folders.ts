import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from './errors.ts';

/**
 * Makes a folder and its parents; fine when it exists, and then it keeps its mode. Returns the topmost one that it made,
 * if any. Throws Node's error for the folder that could not be made. Not mkdir's own `recursive`, which never comes back
 * where the system takes no new folders and says ENOENT (/proc on Linux), and says ENOENT for a disk that is read-only.
 */
export function makeFolders(path: string, mode = 0o777): string | undefined {
  const folder = resolve(path);
  const first = made(folder, mode);
  if (first !== 'no parent') return first === 'new' ? folder : undefined;
  const above = dirname(folder);
  const top = above === folder ? undefined : makeFolders(above, mode);
  mkdirUnlessThere(folder, mode);
  return top ?? folder;
}

function made(folder: string, mode: number): 'new' | 'there' | 'no parent' {
  try {
    return mkdirUnlessThere(folder, mode);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'no parent';
    throw error;
  }
}

/** Makes a folder, or returns that it exists, for which systems throw EEXIST, for a root also EPERM or EISDIR. */
function mkdirUnlessThere(folder: string, mode: number): 'new' | 'there' {
  try {
    mkdirSync(folder, { mode });
    return 'new';
  } catch (error) {
    if (isFolder(folder)) return 'there';
    throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Whoever asks has the reason why it could not be made.
    return false;
  }
}
