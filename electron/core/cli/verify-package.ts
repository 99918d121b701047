import { countOf } from '#shared/values/counts.ts';
import { UsageError } from '../base/errors.ts';
import { errorCode } from '../disk/errors.ts';
import { nodeFiles } from '../disk/files.ts';
import { groupedFingerprint, readFingerprint } from '#shared/domain/fingerprint.ts';
import { verifyPackage, type VerifiedPackage } from '../handover/verify/verify-package.ts';
import type { Output } from './output.ts';
import { printable } from './printable.ts';

/** "PK": what a zip begins with. */
const ZIP = Buffer.from('PK');

/** Whether a path is that of a file that begins as a zip does, or is called as one. Throws Node's errors. */
export function isZip(path: string): boolean {
  const first = Buffer.alloc(ZIP.length);
  try {
    const file = nodeFiles.openForReading(path);
    try {
      file.readNow(first, 0);
    } finally {
      file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'EISDIR') return false;
    throw error;
  }
  // A zip whose first bytes were harmed is a zip all the same.
  return first.equals(ZIP) || /\.zip$/i.test(path);
}

interface Given {
  readonly data?: string | undefined;
  readonly url?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly isJson: boolean;
}

/** Verifies a package. Resolves with the exit code: 1 where anything of it is not as it was signed. Rejects with UsageError, or Node's errors. */
export async function verifyHandedOver(path: string, given: Given, output: Output): Promise<number> {
  if (given.data !== undefined || given.url !== undefined)
    throw new UsageError(`verify takes ${path}, or --data or --url, not both.`);
  const expected = expectedOf(given.fingerprint);
  const found = await verifyFile(path, expected);
  const isWell = found.harmed === 0;
  const lines = given.isJson ? [jsonOf(path, found)] : linesOf(path, found, expected !== null).map(printable);
  for (const line of lines) output.print(line);
  return isWell ? 0 : 1;
}

/** Verifies the package in a file; `expected` as of verifyPackage. Rejects with Node's errors. */
export async function verifyFile(path: string, expected: string | null): Promise<VerifiedPackage> {
  const file = nodeFiles.openForReading(path);
  try {
    const { size } = file;
    return await verifyPackage({ size, read: (into, at) => file.read(into, at) }, { expected });
  } finally {
    file.close();
  }
}

const jsonOf = (what: string, { files, fingerprint, harmed, findings, isRepacked }: VerifiedPackage) =>
  JSON.stringify({ what, files, fingerprint, harmed, findings, repacked: isRepacked });

function expectedOf(words: string | undefined): string | null {
  if (words === undefined) return null;
  const hex = readFingerprint(words);
  if (hex !== null) return hex;
  throw new UsageError(`--fingerprint takes 64 characters of 0-9 and a-f, got "${words}".`);
}

function linesOf(path: string, found: VerifiedPackage, isExpected: boolean): string[] {
  const { files, findings, harmed, fingerprint, isRepacked } = found;
  const more = harmed - findings.length;
  const told = isExpected
    ? 'That is the fingerprint you gave.'
    : 'Compare that with the fingerprint that its sender told you by another way.';
  return [
    `The package ${path}: ${countOf(files, 'file')}.`,
    ...findings.map(({ message }) => `  ${message}`),
    ...(more > 0 ? [`  and ${countOf(more, 'finding')} more.`] : []),
    harmed === 0 ? 'It is as it was signed.' : 'It is not as it was signed.',
    ...(isRepacked ? ['Another program packed the zip anew, around the same files.'] : []),
    ...(fingerprint === null
      ? ['No key signed it.']
      : [
          `Its manifest is signed by the key ${groupedFingerprint(fingerprint)}`,
          ...(harmed === 0 || !isExpected ? [told] : []),
          'The key lies in the package: it is only as good as the way its fingerprint came to you.',
        ]),
  ];
}
