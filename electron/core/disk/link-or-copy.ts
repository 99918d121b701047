import { errorCode } from './errors.ts';
import type { Files } from './files.ts';
import { readInPieces, writeWhole } from './whole-file.ts';

/** Codes of file systems without hard links, such as exFAT, and of a file that has as many names as it may (1,024 on NTFS). */
const NO_LINK = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Gives a file that never changes a second name; where the file system cannot, its bytes once more, durable. Throws Node's
 * errors, EEXIST where `to` is there.
 */
export async function linkOrCopy(files: Files, from: string, to: string): Promise<void> {
  try {
    await files.link(from, to);
  } catch (error) {
    if (!NO_LINK.has(errorCode(error) ?? '')) throw error;
    await writeWhole(files, to, readInPieces(files, from));
  }
}
