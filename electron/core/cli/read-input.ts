import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { UsageError } from '../base/errors.ts';
import { nodeFiles } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';

/** Reads a file, or with "-" stdin, to its end; `what` takes its name. Rejects with UsageError where it cannot be read. */
export async function readInput(what: string, path: string): Promise<Buffer> {
  if (path === '-') return buffer(process.stdin);
  let bytes: Buffer | null;
  try {
    bytes = await readWhole(nodeFiles, resolve(path));
  } catch (error) {
    throw new UsageError(`${what} cannot be read, got "${path}": ${(error as Error).message}.`, {
      cause: error,
    });
  }
  if (bytes === null) throw new UsageError(`${what} must be a file that is there, got "${path}".`);
  return bytes;
}
