import { join } from 'node:path';
import type { Files } from './files.ts';
import type { Segment } from './segment.ts';

const SUFFIX = '.damaged';

/** Keeps the bytes of blocks that were set aside beside the segments, before their segment goes. */
export async function keepDamaged(files: Files, folder: string, segment: Segment): Promise<void> {
  for (const block of segment.blocksSetAside) {
    const file = files.openForWriting(join(folder, `${segment.meta.id}-${block}${SUFFIX}`), true);
    try {
      await file.write(segment.rawBlock(block), 0);
      await file.sync();
    } finally {
      file.close();
    }
  }
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
