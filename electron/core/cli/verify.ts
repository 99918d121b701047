import { resolve } from 'node:path';
import type { AuditVerified } from '#shared/operations/service/audit.ts';
import { countOf } from '#shared/values/counts.ts';
import { createSystemClock } from '../base/system-clock.ts';
import { StartError, UnreachableError, UsageError } from '../base/errors.ts';
import { errorCode } from '../disk/errors.ts';
import { nodeFiles } from '../disk/files.ts';
import { acquireLock } from '../disk/lock/lock.ts';
import { readWhole } from '../disk/whole-file.ts';
import { verifyFolder } from '../store/metadata/file/verify-folder.ts';
import { splitLines } from '../store/trail/trail-lines.ts';
import { verifyTrail } from '../store/trail/verify.ts';
import { ASKER_FLAGS, ASKER_FLAGS_HELP, askerOf } from './ask/asker.ts';
import { isZip, verifyHandedOver } from './verify-package.ts';
import type { ControlCommand } from './ask/control.ts';
import { signOf } from './folders/data-directory.ts';
import { givenPath, parseWord } from './parse.ts';
import { dataDirectory } from './serve/configure.ts';

export const VERIFY_FLAGS_HELP = `  FILE                a package that was handed over, an exported audit trail (audit export), or a data
                      directory; without it the service that is asked, or the data directory where none runs
  --fingerprint F     of a package: that of the key which has to have signed it, as you were told it
${ASKER_FLAGS_HELP}
  --json              for machines, errors too

  fieldbench verify
  fieldbench verify pump.zip --fingerprint '1f2e 3d4c …'
  fieldbench verify audit.ndjson
  fieldbench verify --url https://lab.example:7443 --ca lab-ca.pem`;

/** What was verified, and how it is called. */
interface Looked extends Readonly<Omit<AuditVerified, 'findings'>> {
  readonly what: string;
  readonly findings: readonly AuditVerified['findings'][number][];
  /** What to know about the result; null for nothing. */
  readonly remark: string | null;
}

/**
 * `fieldbench verify`: reads a package or an audit trail to its end, and names what of it is gone, was changed, stands elsewhere or was added.
 * Resolves with 0, or 1 where anything is. Throws UsageError, CommandError, UnreachableError, and Node's errors.
 */
export const verify: ControlCommand = async (args, output) => {
  const options = { ...ASKER_FLAGS, fingerprint: { type: 'string' }, json: { type: 'boolean' } } as const;
  const { word, values } = parseWord(args, options, null);
  const given = { ...values, isJson: values.json ?? false };
  if (word !== '' && isZip(resolve(word))) return verifyHandedOver(resolve(word), given, output);
  if (values.fingerprint !== undefined)
    throw new UsageError('--fingerprint is for a package that was handed over, and none is given.');
  const looked = await look(word, values);
  for (const line of values.json ? [JSON.stringify(looked)] : linesOf(looked)) output.print(line);
  return looked.harmed === 0 ? 0 : 1;
};

type Given = Parameters<typeof askerOf>[0];

async function look(word: string, flags: Given): Promise<Looked> {
  if (word !== '') {
    if (flags.data !== undefined || flags.url !== undefined)
      throw new UsageError(`verify takes ${word}, or --data or --url, not both.`);
    const path = resolve(word);
    const bytes = await contentOf(path);
    return bytes === null ? lookHere({ data: path }) : lookAtFile(path, bytes);
  }
  return flags.url === undefined ? lookHere(flags) : lookAtService(flags);
}

/** The bytes of a file; null for a folder. Throws UsageError where there is neither. */
async function contentOf(path: string): Promise<Buffer | null> {
  try {
    const bytes = await readWhole(nodeFiles, path);
    if (bytes !== null) return bytes;
  } catch (error) {
    if (errorCode(error) === 'EISDIR') return null;
    throw error;
  }
  throw new UsageError(`verify takes a file or a folder that is there, got "${path}".`);
}

/** By what kind of file it is; each is told by its first bytes. */
async function lookAtFile(path: string, bytes: Buffer): Promise<Looked> {
  if (bytes.length > 0 && bytes[0] !== OPEN)
    throw new UsageError(
      `verify takes a package, an exported audit trail or a data directory; ${path} is none of them.`,
    );
  async function* lines() {
    for (const { text, number } of splitLines(bytes)) yield { text, place: `line ${number}` };
  }
  const verified = await verifyTrail({ lines, first: 1, head: null });
  return { what: path, ...verified, former: 0, remark: ITS_END };
}

/** "{" */
const OPEN = 0x7b;
const ITS_END =
  'A file does not say whether its last lines are missing: compare the last number and the hash with those of the service.';

/** By the service that uses the data directory, or else by this command. */
async function lookHere(flags: Given): Promise<Looked> {
  try {
    return await lookAtService(flags);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    return lookAtFolder(dataDirectory(givenPath('data', flags.data)), error);
  }
}

async function lookAtService(flags: Given): Promise<Looked> {
  const asker = await askerOf(flags);
  try {
    return { what: 'the service', ...(await asker.data('audit.verify', {})), remark: null };
  } finally {
    asker.close();
  }
}

async function lookAtFolder(directory: string, unreachable: UnreachableError): Promise<Looked> {
  await refuseOthers(directory);
  const lock = await acquireLock(directory).catch((error: unknown) => {
    throw error instanceof StartError && error.code === 'locked' ? unreachable : error;
  });
  try {
    const verified = await verifyFolder(directory, { clock: createSystemClock(), files: nodeFiles });
    if (verified === null) throw new UsageError(`${directory} has no audit trail.`);
    const { unknown, ...found } = verified;
    const remark =
      unknown === null ? null : `${unknown} So nobody can say whether its last lines are missing.`;
    return { what: directory, ...found, remark };
  } finally {
    await lock.release();
  }
}

/** Only a data directory may be locked, which leaves a file in it. */
async function refuseOthers(directory: string): Promise<void> {
  try {
    if ((await signOf(directory, nodeFiles)) !== 'none') return;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
  }
  throw new UsageError(`${directory} is no data directory of Fieldbench. Name one with --data DIR.`);
}

function linesOf({ what, entries, last, hash, harmed, findings, former, remark }: Looked): string[] {
  const more = harmed - findings.length;
  return [
    `The audit trail of ${what}: ${countOf(entries, 'entry', 'entries')}.`,
    ...(former > 0 ? [`Beside it: ${countOf(former, 'former trail')}.`] : []),
    ...findings.map(({ message }) => `  ${message}`),
    ...(more > 0 ? [`  and ${countOf(more, 'finding')} more.`] : []),
    harmed === 0 ? 'It is as it was written.' : 'It is not as it was written.',
    ...(last === null || harmed > 0 ? [] : [`Its last entry is ${last}, with the SHA-256 ${hash ?? ''}.`]),
    ...(remark === null ? [] : [remark]),
  ];
}
