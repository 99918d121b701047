import { statfs } from 'node:fs/promises';

/** Resolves with the bytes that this user may still write to the disk of a folder. Throws Node's errors. */
export async function freeSpace(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
