import { join } from 'node:path';
import { EVERYTHING, rowsOfBackup } from '../backup/backup-rows.ts';
import { trailsOfBackup } from '../backup/backup-trails.ts';
import { prepareBackup } from '../backup/write-backup.ts';
import type { Clock } from '../base/clock.ts';
import { writeAtomically } from '../disk/atomic-file.ts';
import { writtenAs } from '../disk/contents.ts';
import { errorCode, startError } from '../disk/errors.ts';
import type { Files } from '../disk/files.ts';
import { folderTrail } from '../store/metadata/file/folder-trail.ts';
import { metadataPaths } from '../store/metadata/file/metadata-names.ts';
import { openMetadata } from '../store/metadata/file/open-metadata.ts';
import { SCHEMA_VERSION } from '../store/metadata/metadata-schema.ts';
import { openLog } from '../store/log/log.ts';
import { RECORDS_FOLDER } from '../store/records-folder.ts';

const NAME = 'before-migration.tar';

/** Whether it is the backup that a migration has made. */
export const isBeforeMigration = writtenAs(NAME);

/** The first field of metadata.json stands in so many bytes. */
const HEAD_BYTES = 64;

/**
 * Backs up a data directory whose metadata are of an earlier format, before they are written anew (docs/backup.md). Resolves with
 * notes of it and of what was mended in the records, none where nothing is to be migrated. Throws StartError, also where there is no
 * room for the backup, or as the signal's reason: then nothing was migrated.
 */
export async function backUpBeforeMigration({
  directory,
  clock,
  isGuessable,
  files,
  signal = new AbortController().signal,
}: {
  readonly directory: string;
  readonly clock: Clock;
  /** Whether anything in it was made with a seed. */
  readonly isGuessable: boolean;
  readonly files: Files;
  readonly signal?: AbortSignal | undefined;
}): Promise<readonly string[]> {
  const paths = metadataPaths(directory);
  const version = versionIn(files, paths.main);
  if (version === null || version >= SCHEMA_VERSION) return [];
  const opened = await openMetadata(paths, clock, files);
  if (opened === null) return [];
  const { settings, rows } = await opened.state.read(async (tables) => ({
    settings: await tables.settings(),
    rows: await rowsOfBackup(tables, EVERYTHING),
  }));
  const path = join(directory, NAME);
  const { trail, former } = await folderTrail(directory, files, opened.trail);
  const records = await openLog({ directory: join(directory, RECORDS_FOLDER), files });
  try {
    const prepared = await prepareBackup({
      records,
      settings,
      rows,
      trails: await trailsOfBackup(trail, former),
      secrets: null,
      scope: EVERYTHING,
      now: clock.now(),
      isGuessable,
      signal,
    });
    try {
      await writeAtomically(path, prepared.write(), { files });
    } finally {
      await prepared.release();
    }
  } catch (error) {
    throw signal.aborted ? error : startError(error, directory);
  } finally {
    await records.close();
  }
  return [
    ...records.recovery.map(({ message }) => message),
    `What the data directory held before its metadata were brought to format ${SCHEMA_VERSION} is in ${path}: "fieldbench restore" brings it to an empty one.`,
  ];
}

/** The format that metadata.json says; null where there is none, or it says it elsewhere. */
function versionIn(files: Files, path: string): number | null {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const file = files.openForReading(path);
    try {
      const length = file.readNow(head, 0);
      const [, version] = /^\{\s*"version":(\d+)/.exec(head.toString('latin1', 0, length)) ?? [];
      return version === undefined ? null : Number(version);
    } finally {
      file.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
