import { resolve } from 'node:path';
import type { Envelope } from '#shared/schema/envelope.ts';
import { errorCode } from '../../disk/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { isThere } from '../../disk/pieces.ts';
import { writeWhole } from '../../disk/whole-file.ts';
import { CommandError, refusal } from '../refusal.ts';
import type { ComingFile } from './ask-file.ts';

/** Throws CommandError where there is such a file already: nothing is written over. */
export function refuseThere(file: string): void {
  if (isThere(nodeFiles, file))
    throw new CommandError(1, `${file} is there already, and was left as it is: choose another name.`);
}

interface HowVerified<T> {
  /** Reads what was written to its end. */
  readonly verify: (part: string) => Promise<T>;
  /** Flags by field of the operation. */
  readonly flags: Readonly<Record<string, string>>;
  /** What did not come about: `The backup failed`. */
  readonly failed: string;
}

/**
 * Writes a file that a service sends, and reads it again before it has its name; Ctrl+C ends it as a failure does. Resolves with what
 * `verify` found. Rejects with CommandError, and leaves nothing then.
 */
export async function writeVerified<T>(
  file: string,
  coming: ComingFile | Envelope,
  { verify, flags, failed }: HowVerified<T>,
): Promise<T> {
  if (!('bytes' in coming)) throw refusal(coming, flags);
  const part = `${file}.part`;
  const interrupted = () => void coming.bytes.destroy(new Error('it was interrupted'));
  process.once('SIGINT', interrupted);
  try {
    // A file that another run left may be readable by others.
    await nodeFiles.remove(part);
    await writeWhole(nodeFiles, part, coming.bytes as AsyncIterable<Uint8Array>, 0o600);
    const verified = await verify(part);
    refuseThere(file);
    await nodeFiles.rename(part, file);
    await nodeFiles.syncDirectory(resolve(file, '..'));
    return verified;
  } catch (cause) {
    await nodeFiles.remove(part);
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(1, `${failed}, and nothing of it was kept: ${reasonOf(cause)}`);
  } finally {
    process.off('SIGINT', interrupted);
  }
}

/** Node says "aborted" of an answer whose connection ends before it does. */
function reasonOf(cause: unknown): string {
  if (errorCode(cause) === 'ECONNRESET')
    return 'the connection to the service was lost before its end. The service stopped, or the work was cancelled there, or broke off, which its log says. Ask again.';
  return cause instanceof Error ? cause.message : String(cause);
}
