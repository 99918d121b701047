import { join } from 'node:path';
import { DamagedBlock, DamagedIndex } from './damage-errors.ts';
import type { Files } from '../../../disk/files.ts';
import { writeWhole } from '../../../disk/whole-file.ts';
import { parseSegmentName } from './manifest.ts';
import { Segment } from './segment.ts';
import { RowsGone } from '../../blocks/query/rows-gone.ts';

const SUFFIX = '.damaged';
const BLOCK_NAME = /^\d+-\d+$/;

/** Keeps the bytes of blocks that were set aside beside the segments, before their segment goes. */
export async function keepDamaged(files: Files, folder: string, segment: Segment): Promise<void> {
  for (const block of segment.blocksSetAside) {
    const path = join(folder, `${segment.meta.id}-${block}${SUFFIX}`);
    await writeWhole(files, path, segment.rawBlock(block));
  }
}

/** Whether a file of this name is what was set aside of a segment. */
export function isDamagedFile(name: string): boolean {
  const of = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : '';
  return BLOCK_NAME.test(of) || parseSegmentName(of) !== null;
}

/** Removes them: they hold records, so a purge takes them too. */
export async function removeDamaged(files: Files, folder: string): Promise<void> {
  for (const { name } of await files.list(folder))
    if (name.endsWith(SUFFIX)) await files.remove(join(folder, name));
}

/** Keeps a whole file that nothing can be made of. */
export async function setFileAside(files: Files, path: string): Promise<void> {
  await files.rename(path, `${path}${SUFFIX}`);
}

/**
 * Leaves out what a read found to be damaged. Returns how to say so, `known` where it was left out before, and null
 * for an error of another kind.
 */
export function leaveOut(error: unknown): ((device: string) => string) | 'known' | null {
  if (error instanceof RowsGone) return 'known';
  if (error instanceof DamagedBlock && error.run instanceof Segment) {
    if (error.run.blocksSetAside.has(error.block)) return 'known';
    return setAside(error.run, error.block);
  }
  if (error instanceof DamagedIndex && error.run instanceof Segment) {
    const lost = error.run.rebuildIndex();
    const rest = lost === 0 ? '' : `; ${lost} records are lost`;
    return (device) => `The index of a file of ${device} was damaged and has been rebuilt${rest}.`;
  }
  return null;
}

function setAside(segment: Segment, block: number): ReturnType<typeof leaveOut> {
  try {
    const rows = segment.setAside(block);
    return (device) => `A block of ${rows} records of ${device} is damaged on the disk and was left out.`;
  } catch (error) {
    // Where the index, which that takes, has been damaged as well, what is whole is found without it.
    const says = leaveOut(error);
    if (says === null) throw error;
    return says;
  }
}
