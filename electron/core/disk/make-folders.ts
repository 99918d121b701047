import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './errors.ts';

/**
 * Makes a folder and its parents; fine when it exists, and then it keeps its mode. Resolves with the topmost one that it
 * made, if any. Throws Node's errors. Node's own `recursive` never ends where a folder is there and takes no new names,
 * with ENOENT as its reason: /proc, and home folders that an automounter puts in place (autofs).
 */
export async function makeFolders(path: string, mode?: number): Promise<string | undefined> {
  try {
    await mkdir(path, mode);
    return path;
  } catch (error) {
    if (await isFolder(path)) return undefined;
    if (!lacksParent(path, error)) throw error;
  }
  const top = await makeFolders(dirname(path), mode);
  try {
    await mkdir(path, mode);
    return top ?? path;
  } catch (error) {
    if (await isFolder(path)) return top;
    throw error;
  }
}

/** The same at once, for what must be there before the app is ready. */
export function makeFoldersNow(path: string, mode?: number): void {
  try {
    mkdirSync(path, mode);
    return;
  } catch (error) {
    if (isFolderNow(path)) return;
    if (!lacksParent(path, error)) throw error;
  }
  makeFoldersNow(dirname(path), mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (!isFolderNow(path)) throw error;
  }
}

const lacksParent = (path: string, error: unknown) => errorCode(error) === 'ENOENT' && dirname(path) !== path;

// What cannot be looked at is no folder to work in: the error of making it says why.
const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

function isFolderNow(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
