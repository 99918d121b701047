import { statfs } from 'node:fs/promises';

/** Bytes of a disk, and those that this user may still write to it. */
export interface Space {
  readonly free: number;
  readonly total: number;
}

/** Resolves with the space of the disk of a folder. Throws Node's errors. */
export async function diskSpace(directory: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** The share that this user may still write to, from 0 to 1. */
export const freeShare = ({ free, total }: Space): number => (total === 0 ? 1 : free / total);
