import { quote } from '#shared/values/validate.ts';
import { nodeFiles } from '../../../disk/files.ts';
import { readWhole } from '../../../disk/whole-file.ts';
import { StartError } from '../../../base/errors.ts';

/** Password of a database's user: itself, or the file that has it, read for each connection anew; null for none. */
export type Password = string | { readonly file: string } | null;

/**
 * Resolves with the password as it is now, without the line feed that ends a file; '' for none. Throws StartError where the file
 * cannot be read, or is empty.
 */
export async function readPassword(password: Password): Promise<string> {
  if (password === null || typeof password === 'string') return password ?? '';
  const { file } = password;
  const text = await textOf(file);
  if (text === null) throw unread(file, 'is not there');
  const line = text.replace(/\r?\n$/, '');
  if (line === '') throw unread(file, 'is empty');
  return line;
}

async function textOf(file: string): Promise<string | null> {
  try {
    return (await readWhole(nodeFiles, file))?.toString() ?? null;
  } catch (error) {
    throw unread(file, `cannot be read (${(error as Error).message})`, error);
  }
}

const unread = (file: string, what: string, cause?: unknown) =>
  new StartError(
    'bad-flag',
    `--store-password-file ${quote(file)} ${what}; it is a file with the password of the database's user, and nothing else.`,
    { cause },
  );
