import { dirname } from 'node:path';
import { StoreError } from '../base/errors.ts';
import { changeError } from './errors.ts';
import { nodeFiles, type Files } from './files.ts';
import { writeWhole, type Content } from './whole-file.ts';

/**
 * Returns the temporary name of `path`; one that a crash left is removed at start. It can be guessed, so it is for folders
 * that only this user writes to, as the data folder; cli/serve/ready-file.ts has another way.
 */
export const temporaryName = (path: string) => `${path}.tmp`;

/** Unconfirmed write: a later start may find the old content or the new, and nothing may build on either. */
export class UnconfirmedWrite extends StoreError {
  constructor(cause: unknown) {
    super('io', 'The disk failed to write: the change may be lost. Check the disk.', { cause });
  }
}

/**
 * Replaces a file's content: after a crash or an error at any step the old file is still whole. One writer at a time.
 * Throws StoreError. Only where the very last step fails (the fsync of the folder, on a failing disk) may the new
 * content be found afterwards: that is an UnconfirmedWrite.
 */
export async function writeAtomically(
  path: string,
  content: Content,
  { mode = 0o600, files = nodeFiles }: { readonly mode?: number; readonly files?: Files } = {},
): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await writeWhole(files, temporary, content, mode);
    await files.rename(temporary, path);
  } catch (error) {
    await files.remove(temporary).catch(() => {
      // A disk that cannot even remove it keeps it until the next write or start; the first error says why.
    });
    throw changeError(error);
  }
  try {
    await files.syncDirectory(dirname(path));
  } catch (error) {
    throw new UnconfirmedWrite(error);
  }
}
