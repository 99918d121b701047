import { statfs } from 'node:fs/promises';

/** Resolves with the bytes of the disk of a folder, and those that this user may still write to it. Throws Node's errors. */
export async function diskSpace(directory: string): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** The share of the disk of a folder that this user may still write to, from 0 to 1. Throws Node's errors. */
export async function freeShare(directory: string): Promise<number> {
  const { free, total } = await diskSpace(directory);
  return total === 0 ? 1 : free / total;
}
