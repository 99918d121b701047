import { diskError } from './errors.ts';
import type { Files, OpenFile } from './files.ts';

const zeros = Buffer.alloc(1 << 18);

/**
 * Removes a file and overwrites its bytes through what is still open of it: so a crash finds all of the file or none,
 * and never takes a half of it for damage.
 */
export async function eraseFile(
  files: Files,
  { directory, path, file }: { readonly directory: string; readonly path: string; readonly file: OpenFile },
): Promise<void> {
  await files.remove(path);
  await files.syncDirectory(directory);
  try {
    const { size } = file;
    for (let at = 0; at < size; at += zeros.length)
      await file.write(zeros.subarray(0, Math.min(zeros.length, size - at)), at);
  } catch (error) {
    // A file system that copies on write does not write over anything; on a full disk it even refuses to.
    if (diskError(error, 'erasing deleted records').code !== 'disk-full') throw error;
  }
  await file.sync();
}
