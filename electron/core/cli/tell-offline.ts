import { createSystemClock } from '../base/system-clock.ts';
import { systemRandom } from '../base/system-random.ts';
import { systemUser } from '../base/system-user.ts';
import { nodeFiles } from '../disk/files.ts';
import { openFolderMetadata } from '../store/metadata/file/folder-metadata.ts';
import { metadataPaths } from '../store/metadata/file/metadata-names.ts';
import { openMetadata } from '../store/metadata/file/open-metadata.ts';
import { SCHEMA_VERSION } from '../store/metadata/metadata-schema.ts';
import { changedBy } from '../store/metadata/metadata.ts';

/**
 * Does work on a data directory that the caller has locked, of which the audit trail tells: that it was begun, before anything is
 * done, and what came of it. Without metadata, or with those of an earlier version, there is no trail. Rejects as `work`, and with StartError and StoreError.
 */
export async function tellOffline<T>(
  directory: string,
  operation: string,
  work: () => Promise<{ readonly result: T; readonly facts: object }>,
): Promise<T> {
  const clock = createSystemClock();
  const found = await openMetadata(metadataPaths(directory), clock, nodeFiles);
  if (found === null || found.version < SCHEMA_VERSION) return (await work()).result;
  const opened = await openFolderMetadata({ directory, clock, chance: systemRandom, files: nodeFiles });
  try {
    const by = { kind: 'command line', name: systemUser() } as const;
    const metadata = changedBy(opened, { by, operation });
    const of = await metadata.change((tables) => tables.tell({ outcome: 'begun' }));
    try {
      const { result, facts } = await work();
      await metadata.change((tables) => tables.tell({ outcome: 'done', of, facts }));
      return result;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await metadata.change((tables) => tables.tell({ outcome: 'failed', of, message }));
      throw error;
    }
  } finally {
    await opened.close();
  }
}
