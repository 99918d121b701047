import { join, sep } from 'node:path';
import { createSystemClock } from '../base/system-clock.ts';
import { systemRandom } from '../base/system-random.ts';
import { everySecret } from '../api/every-secret.ts';
import { errorCode } from '../disk/errors.ts';
import { nodeFiles, type Files } from '../disk/files.ts';
import { bytesOf } from '../disk/tree.ts';
import { StartError, VaultError } from '../base/errors.ts';
import { readProfiles } from '../remote/profiles.ts';
import { openFolderMetadata } from '../store/metadata/file/folder-metadata.ts';
import { snapshotsIn } from '../store/log/saved-worlds.ts';
import { RECORDS_FOLDER } from '../store/records-folder.ts';
import { readKind, type KindRecord } from '../vault/kind-record.ts';
import type { SecretRef } from '../vault/vault.ts';
import {
  appFolders,
  keyOfFolder,
  profilesFolder,
  sharedAppFolders,
  SPARE_PROFILE,
} from './folders/app-folders.ts';
import { findContents, signOf, type Contained } from './folders/data-directory.ts';

/** Traces of a data directory on this machine. */
export interface Leftovers extends Contained {
  readonly directory: string;
  /** Null where its metadata cannot be read. */
  readonly counts: { readonly projects: number; readonly devices: number } | null;
  /** Remarks to read before it is removed. */
  readonly remarks: readonly string[];
  /** Folders of the desktop app's windows. */
  readonly app: readonly { readonly path: string; readonly bytes: number }[];
  /** Secrets in the keychain; null for none, or unknown ones. */
  readonly keychain: { readonly installation_id: string; readonly refs: readonly SecretRef[] } | null;
}

type FromMetadata = Pick<Leftovers, 'counts' | 'remarks' | 'keychain'>;

/** Finds the leftovers of a directory that the caller has locked. Throws StartError, VaultError and Node's errors. */
export async function findLeftovers(directory: string, files: Files = nodeFiles): Promise<Leftovers> {
  const app = [];
  const key = keyOfFolder(directory);
  const shared = (await isLastProfile(files, key)) ? sharedAppFolders() : [];
  for (const path of [...appFolders(key), ...shared]) {
    const bytes = await bytesOf(files, path);
    if (bytes > 0) app.push({ path, bytes });
  }
  const contents = await findContents(directory, files);
  const kind = await kindIn(directory, files);
  const known =
    (await signOf(directory, files)) === 'metadata'
      ? await readMetadata(directory, files, kind)
      : withoutMetadata(kind, noMetadata(directory, contents));
  return { directory, app, ...known, ...contents };
}

/** Whether this user's app has been used over no other data directory, or what it kept of those is gone. */
async function isLastProfile(files: Files, key: string): Promise<boolean> {
  try {
    const found = await files.list(profilesFolder());
    return found.every(({ name }) => name === key || name === SPARE_PROFILE);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return true;
    throw error;
  }
}

/** Resolves with the vault that holds the secrets; `unknown` where the record of that is damaged. */
async function kindIn(directory: string, files: Files): Promise<KindRecord | 'unknown' | null> {
  try {
    return await readKind({ directory, files }, true);
  } catch (error) {
    if (error instanceof VaultError && error.code === 'damaged') return 'unknown';
    throw error;
  }
}

const UNREADABLE: ReadonlySet<string> = new Set([
  'metadata-damaged',
  'metadata-newer',
  'metadata-unreadable',
]);

async function readMetadata(
  directory: string,
  files: Files,
  kind: KindRecord | 'unknown' | null,
): Promise<FromMetadata> {
  const metadata = await openFolderMetadata({
    directory,
    clock: createSystemClock(),
    chance: systemRandom,
    files,
  }).catch((error: unknown) => {
    if (error instanceof StartError && UNREADABLE.has(error.code)) return error.message;
    throw error;
  });
  if (typeof metadata === 'string')
    return withoutMetadata(kind, [`${metadata} Nobody can say which projects and devices there are.`]);
  try {
    const { installation_id, ...counts } = await metadata.read(async (tables) => ({
      installation_id: (await tables.settings()).installation_id,
      projects: await tables.count('projects'),
      devices: await tables.count('devices'),
    }));
    if (kind === 'unknown') return { counts, remarks: [inKeychain(kind, installation_id)], keychain: null };
    if (kind === null || !usesKeychain(kind)) return { counts, remarks: [], keychain: null };
    const { profiles } = await readProfiles({ directory, files });
    const otherServices = { refs: profiles.map(({ id }) => ({ kind: 'other-service', id }) as const) };
    const snapshots = await snapshotsIn(files, join(directory, RECORDS_FOLDER));
    return {
      counts,
      remarks: [],
      keychain: {
        installation_id,
        refs: await everySecret({ metadata, otherServices, worlds: { snapshots } }),
      },
    };
  } finally {
    await metadata.close();
  }
}

function noMetadata(directory: string, { files }: Contained): readonly string[] {
  const says = `There is no metadata.json in ${directory}: nobody can say which projects and devices it is of.`;
  if (files.some((file) => file.startsWith(`${RECORDS_FOLDER}${sep}`))) return [says];
  return [
    says,
    'A service whose records are in a database has none; what it has there stays, the keys of its certificates included.',
  ];
}

function withoutMetadata(kind: KindRecord | 'unknown' | null, why: readonly string[]): FromMetadata {
  const mayBe = kind !== null && (kind === 'unknown' || usesKeychain(kind));
  return { counts: null, remarks: [...why, ...(mayBe ? [inKeychain(kind, null)] : [])], keychain: null };
}

/** A move of secrets that was cut off leaves copies. */
const usesKeychain = ({ kind, removeFrom }: KindRecord) => kind === 'keychain' || removeFrom === 'keychain';

function inKeychain(kind: KindRecord | 'unknown', installation: string | null): string {
  const which =
    kind === 'unknown' ? 'Keys and tokens that are in the keychain' : 'Keys and tokens in the keychain';
  const named =
    installation === null ? 'whose name begins with "Fieldbench "' : `named "Fieldbench ${installation}"`;
  return `${which} stay there: items ${named}. Remove them with the keychain's own program.`;
}
