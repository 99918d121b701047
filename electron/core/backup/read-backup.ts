import { createHash } from 'node:crypto';
import { parseJson } from '#shared/values/json.ts';
import { quote } from '#shared/values/validate.ts';
import type { z } from 'zod';
import { badRequest } from '../base/errors.ts';
import {
  BACKUP_VERSION,
  MANIFEST,
  anyManifest,
  manifest,
  type BackupManifest,
  type Member,
} from './backup-format.ts';
import { BrokenTar, readTar, type FoundMember } from './tar.ts';

/** Of members that are read at once. */
const MOST_MANIFEST_BYTES = 64 * 1024 * 1024;
export const MOST_ROWS_BYTES = 512 * 1024 * 1024;
export const MOST_STATE_BYTES = 1024 * 1024;
/** Some hundred bytes for each device and key. */
export const MOST_SECRETS_BYTES = 128 * 1024 * 1024;

/** A backup that is read: its manifest, then all other members in the order in which that names them. */
export interface FoundBackup {
  readonly manifest: BackupManifest;
  /**
   * Members, each to be read before the next is asked for. A reader that stops before the end returns them: the sender waits else.
   * Rejects with a 400 Refusal that names the member where one is not what the manifest says, is missing, or is not named.
   */
  readonly members: AsyncGenerator<FoundMember>;
}

/** Reads the beginning of a backup. Rejects with a 400 Refusal where it is none, or is of a later version. */
export async function readBackup(bytes: AsyncIterable<Uint8Array>): Promise<FoundBackup> {
  const tar = inWords(readTar(bytes));
  try {
    const found = await readFirst(tar);
    return { manifest: found, members: members(tar, found) };
  } catch (error) {
    await tar.return(undefined);
    throw error;
  }
}

async function readFirst(tar: AsyncGenerator<FoundMember>): Promise<BackupManifest> {
  const first = await tar.next();
  if (first.done || first.value.name !== MANIFEST)
    throw badRequest(
      `The file must be a backup, which begins with "${MANIFEST}", got ${first.done ? 'nothing' : quote(first.value.name)} first`,
    );
  const content = inWords(first.value.content);
  return readManifest(await textOf({ ...first.value, content }, MOST_MANIFEST_BYTES));
}

async function* members(
  tar: AsyncGenerator<FoundMember>,
  { members: named }: BackupManifest,
): AsyncGenerator<FoundMember> {
  let at = 0;
  for await (const found of tar) {
    const member = named[at++];
    if (member?.name !== found.name)
      throw badRequest(
        `The backup must be as it was written: after ${at} members ${member ? quote(member.name) : 'its end'} was expected, got ${quote(found.name)}`,
      );
    if (member.bytes !== found.bytes) throw damaged(member);
    yield { ...found, content: inWords(checked(member, found.content)) };
  }
  const missing = named[at];
  if (missing)
    throw badRequest(`The backup is cut off: ${quote(missing.name)} and what follows it are missing`);
}

/** Passes a member on, and rejects at its end where it is not the one that was written. */
async function* checked(member: Member, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of content) {
    hash.update(piece);
    bytes += piece.byteLength;
    yield piece;
  }
  if (bytes !== member.bytes || hash.digest('hex') !== member.sha256) throw damaged(member);
}

const damaged = ({ name }: Member) =>
  badRequest(`The backup is damaged: ${quote(name)} is not as it was written (its SHA-256 is another one)`);

function readManifest(text: string): BackupManifest {
  const read = parsedOr(text);
  const any = anyManifest.safeParse(read);
  if (!any.success) throw badRequest(`The file must be a backup: its "${MANIFEST}" says nothing of the kind`);
  if (any.data.version > BACKUP_VERSION)
    throw badRequest(
      `The backup is of a later Fieldbench (format ${any.data.version}, this one reads up to ${BACKUP_VERSION}); update Fieldbench to restore it`,
    );
  return parsedAs(manifest, read, MANIFEST);
}

/** Checks what was read of a member. Throws a 400 Refusal that names the member and the field. */
export function parsedAs<T extends z.ZodType>(schema: T, value: unknown, name: string): z.output<T> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw unreadable(name, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** Returns the 400 for a part of a backup. */
export const unreadable = (part: string, why: string) =>
  badRequest(`The backup cannot be read: ${quote(part)}, ${why}`);

export function parsedOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Reads a member whole, as text. Rejects with a 400 Refusal where it has more bytes. */
export async function textOf({ name, bytes, content }: FoundMember, most: number): Promise<string> {
  if (bytes > most)
    throw badRequest(`${quote(name)} of the backup must have at most ${most} bytes, has ${bytes}`);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** Rejects with a 400 Refusal where the tar file is none. */
async function* inWords<T>(tar: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* tar;
  } catch (error) {
    if (!(error instanceof BrokenTar)) throw error;
    throw badRequest(
      `The file must be a whole backup, as a tar file; it ends early, or is none (${error.message})`,
    );
  }
}
