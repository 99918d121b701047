import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import { FOLDER_VAULT_KINDS, type FolderVaultKind } from '#shared/operations/service/service.ts';
import { writeAtomically } from '../disk/atomic-file.ts';
import { errorCode, startError } from '../disk/errors.ts';
import { readWhole } from '../disk/whole-file.ts';
import { VaultError } from '../base/errors.ts';
import { vaultPath, type Place } from './lock.ts';

/*
 * vault-kind.json says which vault a data folder uses, for starts that are not told. Where it was lost, a folder with
 * vault.json uses the file vault.
 */

const VERSION = 1;
const record = z.object({
  version: z.literal(VERSION),
  kind: z.enum(FOLDER_VAULT_KINDS),
  /** Where copies of secrets may lie that are to go: a move from there, or to there, was cut off. */
  remove_from: z.enum(['keychain', 'file']).optional(),
});

/** The vault that a data folder uses, and where a move left copies. */
export interface KindRecord {
  readonly kind: FolderVaultKind;
  readonly removeFrom: 'keychain' | 'file' | null;
}

export const KIND_FILE = 'vault-kind.json';
const pathOf = ({ directory }: Place) => join(directory, KIND_FILE);

/**
 * Resolves with the vault a data folder uses; null where nothing says it, or where the record is damaged and not
 * `needed`. Throws VaultError `damaged`, `io`.
 */
export async function usedKind(place: Place, needed: boolean): Promise<FolderVaultKind | null> {
  return (await readKind(place, needed))?.kind ?? null;
}

/** Resolves with the record of the vault's kind, with the leftovers of a move. */
export async function readKind(place: Place, needed: boolean): Promise<KindRecord | null> {
  const path = pathOf(place);
  try {
    const bytes = await readWhole(place.files, path);
    if (bytes) return kindIn(bytes, path);
    return (await readWhole(place.files, vaultPath(place))) ? { kind: 'file', removeFrom: null } : null;
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof VaultError && !needed) return null;
    if (error instanceof VaultError || code === undefined) throw error;
    throw new VaultError(
      'io',
      `The vault in ${place.directory} cannot be read (${code}). Give this user the right to read its files.`,
      { cause: error },
    );
  }
}

function kindIn(bytes: Uint8Array, path: string): KindRecord {
  let content: unknown;
  try {
    content = parseJson(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw unreadable(path, cause);
  }
  const read = record.safeParse(content);
  if (read.success) return { kind: read.data.kind, removeFrom: read.data.remove_from ?? null };
  throw unreadable(path, read.error);
}

function unreadable(path: string, cause: unknown): VaultError {
  return new VaultError(
    'damaged',
    `${path}, which says where the secrets of this data directory are kept, is damaged or of a newer Fieldbench. Start ` +
      'with --vault keychain or --vault file, whichever it was: that writes it anew.',
    { cause },
  );
}

/** Writes down which vault a data folder uses from now on. Throws StartError. */
export async function recordKind(
  place: Place,
  kind: FolderVaultKind,
  removeFrom: KindRecord['removeFrom'] = null,
): Promise<void> {
  try {
    const text = `${JSON.stringify({ version: VERSION, kind, ...(removeFrom && { remove_from: removeFrom }) })}\n`;
    await writeAtomically(pathOf(place), text, { files: place.files });
  } catch (error) {
    throw startError(error, place.directory);
  }
}
