import { join } from 'node:path';
import { isBeforeMigration } from '../../folder/before-migration.ts';
import { isDoorFile } from '../../service/door-settings.ts';
import { writtenAs, type Contents } from '../../disk/contents.ts';
import type { Files } from '../../disk/files.ts';
import { isLockFile } from '../../disk/lock/lock.ts';
import { readWhole } from '../../disk/whole-file.ts';
import { isJournalFile } from '../../backend/journals.ts';
import { isProfilesFile } from '../../remote/profiles.ts';
import { isMetadata, isMetadataFile } from '../../store/metadata/file/metadata-names.ts';
import { isWalFile } from '../../store/log/wal/wal-format.ts';
import { TRAIL_CONTENTS, TRAIL_FOLDER } from '../../store/trail/trail-names.ts';
import { RECORDS_CONTENTS, RECORDS_FOLDER } from '../../store/records-folder.ts';
import { isOwnAuthority } from '../../tls/certificates.ts';
import { CA_FILE, TLS_CONTENTS } from '../../tls/tls.ts';
import { TLS_FOLDERS } from '../../service/open-certificate.ts';
import { JOURNAL_NAME } from '../../vault/journal.ts';
import { KIND_FILE } from '../../vault/kind-record.ts';
import { isSecretFile } from '../../vault/remove-secrets.ts';

const isKindFile = writtenAs(KIND_FILE);
const FILES = [
  isMetadataFile,
  isSecretFile,
  isKindFile,
  isJournalFile,
  isDoorFile,
  isProfilesFile,
  isLockFile,
  isBeforeMigration,
];

/** Files of a service in its data directory (docs/storage-format.md). */
const DATA_DIRECTORY: Contents = {
  isFile: (name) => FILES.some((isFile) => isFile(name)),
  folder(name) {
    if (TLS_FOLDERS.includes(name)) return TLS_CONTENTS;
    if (name === TRAIL_FOLDER) return TRAIL_CONTENTS;
    return name === RECORDS_FOLDER ? RECORDS_CONTENTS : null;
  },
};

/** Contents of a data directory, by path in it. */
export interface Contained {
  /** Files of the service, and links in their place. */
  readonly files: readonly string[];
  /** Its folders that hold nothing else, the inner ones first. */
  readonly folders: readonly string[];
  /** Foreign files, links and folders: of a folder only the name. */
  readonly others: readonly string[];
  readonly bytes: number;
}

/** Lists all of it; links are not followed. Throws Node's errors. */
export const findContents = (directory: string, files: Files): Promise<Contained> =>
  look(files, directory, DATA_DIRECTORY);

async function look(files: Files, path: string, contents: Contents): Promise<Contained> {
  const found = { files: [] as string[], folders: [] as string[], others: [] as string[], bytes: 0 };
  for (const { name, isDirectory } of (await files.list(path)).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const inside = isDirectory ? contents.folder(name) : null;
    if (inside !== null) {
      const within = await look(files, join(path, name), inside);
      const named = (names: readonly string[]) => names.map((each) => join(name, each));
      found.files.push(...named(within.files));
      found.folders.push(...named(within.folders), ...(within.others.length === 0 ? [name] : []));
      found.others.push(...named(within.others));
      found.bytes += within.bytes;
    } else if (!isDirectory && contents.isFile(name)) {
      found.files.push(name);
      found.bytes += bytesOf(files, join(path, name));
    } else found.others.push(name);
  }
  return found;
}

/** A link takes none that are its own, and what has another name stays. */
function bytesOf(files: Files, path: string): number {
  if (!files.hasOneName(path)) return 0;
  const file = files.openForReading(path);
  const { size } = file;
  file.close();
  return size;
}

/**
 * Resolves with the sign of a data directory: its metadata, another file that only a service writes, or none. Throws Node's
 * errors.
 */
export async function signOf(directory: string, files: Files): Promise<'metadata' | 'others' | 'none'> {
  const found = await files.list(directory);
  const names = found.filter(({ isDirectory }) => !isDirectory).map(({ name }) => name);
  if (names.some(isMetadata)) return 'metadata';
  // Other programs have a vault.key, too.
  if (names.some((name) => isJournalFile(name) || JOURNAL_NAME.test(name) || isKindFile(name)))
    return 'others';
  for (const { name, isDirectory } of found)
    if (isDirectory && (await isOfService(join(directory, name), name, files))) return 'others';
  return 'none';
}

async function isOfService(path: string, name: string, files: Files): Promise<boolean> {
  if (name === RECORDS_FOLDER) return (await files.list(path)).some((each) => isWalFile(each.name));
  if (!TLS_FOLDERS.includes(name)) return false;
  const authority = await readWhole(files, join(path, CA_FILE));
  return authority !== null && isOwnAuthority(authority.toString('utf8'));
}
