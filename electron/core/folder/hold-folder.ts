import type { Socket } from 'node:net';
import { nodeFiles, type Files } from '../disk/files.ts';
import { heldFiles } from '../disk/held-files.ts';
import { acquireLock, type Lock } from '../disk/lock/lock.ts';
import { makeLasting } from '../disk/make-lasting.ts';
import { StartError } from '../base/errors.ts';

export interface HoldOptions {
  /** Absolute. */
  readonly directory: string;
  /** Gets lines for the person who started it, as they come up. */
  readonly say?: (line: string) => void;
  /** Gets who connects to the folder's socket, from the moment that the folder is held; only its owner can. */
  readonly connected?: (socket: Socket) => void;
  /** Ends the opening where it waits for others; its reason, a StartError, is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Takes a data folder for this process alone, and makes it where there is none. Resolves with its lock, and files that fail
 * once that is lost. Throws StartError.
 */
export async function holdFolder({ directory, connected, signal, say = () => {} }: HoldOptions): Promise<{
  readonly lock: Lock;
  readonly files: Files;
}> {
  await makeDirectory(directory);
  const lock = await acquireLock(directory, { say, ...(signal && { signal }) });
  if (connected) lock.serve(connected);
  lock.onLost((why) => say(why.message));
  return { lock, files: heldFiles(nodeFiles, () => lock.lost()) };
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await makeLasting(nodeFiles, directory, 0o700);
  } catch (error) {
    throw new StartError(
      'read-only',
      `The data directory ${directory} cannot be made: ${(error as Error).message}. Choose another with --data DIR.`,
      { cause: error },
    );
  }
}
