import { resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { nodeFiles } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';

/** Variable with the passphrase of backups: another one than that of the vault, which is not to lie beside them. */
export const PASSPHRASE_VARIABLE = 'FIELDBENCH_BACKUP_PASSPHRASE';

/**
 * Resolves with the passphrase of a backup by the flag that names its file, without the line feed that ends it, else by the
 * environment, never by a flag: lists of this machine's processes show those. Null where neither says one. Throws UsageError where
 * the file has none.
 */
export async function backupPassphrase(file: string | null): Promise<string | null> {
  if (file === null) {
    const given = process.env[PASSPHRASE_VARIABLE] ?? '';
    return given === '' ? null : given;
  }
  const line = (await textOf(file)).replace(/\r?\n$/, '');
  if (line === '') throw unread(file, 'is empty');
  return line;
}

async function textOf(file: string): Promise<string> {
  let bytes: Buffer | null;
  try {
    bytes = await readWhole(nodeFiles, resolve(file));
  } catch (error) {
    throw unread(file, `cannot be read (${(error as Error).message})`);
  }
  if (bytes === null) throw unread(file, 'is not there');
  return bytes.toString();
}

const unread = (file: string, what: string) =>
  new UsageError(
    `--passphrase-file "${file}" ${what}; it is a file with the passphrase of a backup, and nothing else.`,
  );
