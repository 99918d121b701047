import { join } from 'node:path';
import { errorCode } from './errors.ts';
import type { Files } from './files.ts';

/** Errors of opening what is no file, or has gone meanwhile: links that lead nowhere, sockets. */
const WITHOUT_BYTES = new Set(['ENOENT', 'ENXIO', 'ELOOP', 'EOPNOTSUPP', 'ENOTSUP', 'EISDIR']);

/** Resolves with the bytes of a folder's files, or of a file; 0 for none. Throws Node's errors. */
export async function bytesOf(files: Files, path: string): Promise<number> {
  const inside = await listed(files, path);
  if (inside === null) return sizeOf(files, path);
  let bytes = 0;
  for (const { name, isDirectory } of inside) {
    const each = join(path, name);
    bytes += isDirectory ? await bytesOf(files, each) : sizeOf(files, each);
  }
  return bytes;
}

/** Removes a folder with all that is in it, or a file; links are removed, and not followed. Throws Node's errors. */
export async function removeTree(files: Files, path: string): Promise<void> {
  const inside = await listed(files, path);
  if (inside === null) return files.remove(path);
  for (const { name, isDirectory } of inside)
    await (isDirectory ? removeTree(files, join(path, name)) : files.remove(join(path, name)));
  await files.removeDirectory(path);
}

/** Null where it is no folder. */
async function listed(files: Files, path: string): Promise<Awaited<ReturnType<Files['list']>> | null> {
  try {
    return await files.list(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

function sizeOf(files: Files, path: string): number {
  try {
    const file = files.openForReading(path);
    const { size } = file;
    file.close();
    return size;
  } catch (error) {
    if (WITHOUT_BYTES.has(errorCode(error) ?? '')) return 0;
    throw error;
  }
}
