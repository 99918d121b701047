import { StartError } from '../../../base/errors.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Files } from '../../../disk/files.ts';
import { NO_LINES } from '../../trail/chain.ts';
import type { KnownLines } from '../../trail/trail-files.ts';
import { verifyFormer, type VerifiedAll } from '../../trail/verify-former.ts';
import { verifyTrail } from '../../trail/verify.ts';
import { folderTrail } from './folder-trail.ts';
import { metadataPaths } from './metadata-names.ts';
import { openMetadata } from './open-metadata.ts';

/** What was found in a data directory that no service uses. */
interface VerifiedFolder extends VerifiedAll {
  /** Why it is not known where the trail ends; null where the metadata say it. */
  readonly unknown: string | null;
}

/**
 * Verifies the audit trail of a data directory, and changes nothing in it: the lines of its own files, and behind them those that only
 * the metadata's journal has; then former trails. Resolves with null where there is none. Rejects with Node's errors and StoreError.
 */
export async function verifyFolder(
  directory: string,
  { clock, files }: { readonly clock: Clock; readonly files: Files },
): Promise<VerifiedFolder | null> {
  const { known, unknown } = await knownIn(directory, clock, files);
  const { trail, former, isEmpty } = await folderTrail(directory, files, known ?? NOTHING_KNOWN);
  if (known === null && isEmpty) return null;
  const head = known && (await trail.head());
  const verified = await verifyTrail({ ...trail, head });
  return { ...(await verifyFormer(trail, verified, former)), unknown };
}

const NOTHING_KNOWN: KnownLines = { head: NO_LINES, lines: [] };

async function knownIn(
  directory: string,
  clock: Clock,
  files: Files,
): Promise<{ readonly known: KnownLines | null; readonly unknown: string | null }> {
  try {
    const opened = await openMetadata(metadataPaths(directory), clock, files);
    return opened
      ? { known: opened.trail, unknown: null }
      : { known: null, unknown: 'There are no metadata.' };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { known: null, unknown: error.message };
  }
}
