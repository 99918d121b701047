import { join } from 'node:path';
import { createSystemClock } from '../clock.ts';
import { everySecret } from '../api/every-secret.ts';
import { nodeFiles, type Files } from '../disk/files.ts';
import { bytesOf } from '../disk/tree.ts';
import { readProfiles } from '../remote/profiles.ts';
import { openFolderMetadata } from '../store/metadata/folder-metadata.ts';
import { readKind } from '../vault/kind-record.ts';
import type { SecretRef } from '../vault/vault.ts';
import { appFolders, keyOfFolder } from './app-folders.ts';

/** The files of the metadata, without which nobody knows what else there is: they go last. */
const METADATA = /^metadata\.(json|journal|last-good\.json)$/;
/** Folders and files that a service writes into its data directory (docs/storage-format.md). */
const FOLDERS = /^(data(\.(migrating|migrated|plain|damaged-\d+))?|tls|tls-memory)(\.tmp|\.damaged)?$/;
const FILES = new RegExp(
  `^(${[
    String.raw`metadata\.(json|journal|last-good\.json|damaged-.+)`,
    String.raw`vault(-next)?\.key`,
    String.raw`vault(-kind)?\.json`,
    String.raw`vault-[0-9a-f]{16}\.journal`,
    String.raw`(doors|other-services)\.json`,
    String.raw`(mqtt-sessions|api-key-use)\.journal`,
    String.raw`lock\.\d+-[\w.-]+`,
    String.raw`control\.sock`,
  ].join('|')})(\\.tmp|\\.damaged)?$`,
);

/** Whether a folder has what only a data directory has. Throws Node's errors. */
export async function isDataDirectory(directory: string, files: Files = nodeFiles): Promise<boolean> {
  return (await files.list(directory)).some(({ name }) => METADATA.test(name));
}

/** What there is of a data directory on this machine. */
export interface Leftovers {
  readonly directory: string;
  readonly projects: number;
  readonly devices: number;
  readonly bytes: number;
  /** Its files and folders, in the order in which they go. */
  readonly names: readonly string[];
  /** What else lies there, and stays. */
  readonly others: readonly string[];
  /** What the desktop app keeps of its windows. */
  readonly app: readonly { readonly path: string; readonly bytes: number }[];
  /** Null where the secrets are in none. */
  readonly keychain: { readonly installation_id: string; readonly refs: readonly SecretRef[] } | null;
}

/** Looks for it; the caller has locked the directory. Throws StartError, VaultError and Node's errors. */
export async function findLeftovers(directory: string, files: Files = nodeFiles): Promise<Leftovers> {
  const app = [];
  for (const path of appFolders(keyOfFolder(directory))) {
    const bytes = await bytesOf(files, path);
    if (bytes > 0) app.push({ path, bytes });
  }
  const metadata = await openFolderMetadata({ directory, clock: createSystemClock(), files });
  try {
    const kind = (await readKind({ directory, files }, false))?.kind;
    const { profiles } = await readProfiles(directory);
    const otherServices = { refs: profiles.map(({ id }) => ({ kind: 'other-service', id }) as const) };
    const refs = kind === 'keychain' ? await everySecret({ metadata, otherServices }) : [];
    const counts = await metadata.read(async (tables) => ({
      installation_id: (await tables.settings()).installation_id,
      projects: await tables.count('projects'),
      devices: await tables.count('devices'),
    }));
    const { installation_id, ...counted } = counts;
    const found = await files.list(directory);
    // A link in place of a folder leads to another disk, where other things may be: it is none of these, and stays.
    const isOurs = ({ name, isDirectory }: (typeof found)[number]) =>
      (isDirectory ? FOLDERS : FILES).test(name);
    const names = found.filter(isOurs).map(({ name }) => name);
    let bytes = 0;
    for (const name of names) bytes += await bytesOf(files, join(directory, name));
    return {
      directory,
      ...counted,
      bytes,
      names: names.toSorted((a, b) => Number(METADATA.test(a)) - Number(METADATA.test(b))),
      others: found.filter((each) => !isOurs(each)).map(({ name }) => name),
      app,
      keychain: kind === 'keychain' ? { installation_id, refs } : null,
    };
  } finally {
    await metadata.close();
  }
}
