import { quote } from '#shared/values/validate.ts';
import { z } from 'zod';
import { badRequest } from '../base/errors.ts';
import { Pace } from '../turns/pace.ts';
import { Serial } from '../turns/serial.ts';
import {
  base64,
  keyOfPassphrase,
  newPassphraseOpener,
  passphraseOpener,
  valuesOfOpener,
  type PassphraseOpener,
} from '../vault/passphrase-opener.ts';
import { NONCE_BYTES, seal, TAG_BYTES, unseal } from '../vault/sealing.ts';
import { SECRETS } from './backup-format.ts';
import { parsedAs, parsedOr, unreadable } from './read-backup.ts';

/*
 * The secrets of a backup, encrypted with a passphrase (docs/backup.md, "The secrets"): a line of JSON with what opens them, then a
 * line for each frame. The first frame is empty, so that it tells a wrong passphrase from what was altered; so is the last, which says
 * that it is, so that none can be left out.
 */

const VERSION = 1;

const backupSecret = z.object({
  table: z.enum(['devices', 'api_keys']),
  id: z.string().min(1),
  secret: z.string().min(1),
});
/** Token of a device or API key, by the row that it is of. */
export type BackupSecret = Readonly<z.output<typeof backupSecret>>;

const anyHead = z.object({ version: z.int().min(1) });
const head = z.object({ version: z.literal(VERSION), opener: passphraseOpener });
const frame = z.object({ nonce: base64(NONCE_BYTES), data: z.base64(), tag: base64(TAG_BYTES) });
const content = z.array(backupSecret);

export interface SealedSecrets {
  readonly count: number;
  readonly lines: readonly Buffer[];
}

/** Each takes 128 MB (sealing.ts): one after the other. */
const stretching = new Serial();

/** Seals secrets, some at a time, with a passphrase. Rejects as `parts` does. `cost`: scrypt's N. */
export async function sealSecrets(
  parts: AsyncIterable<readonly BackupSecret[]>,
  passphrase: string,
  cost?: number,
): Promise<SealedSecrets> {
  const { opener, key } = await stretching.run(() => newPassphraseOpener(passphrase, cost));
  const lines = [lineOf({ version: VERSION, opener })];
  const add = (secrets: readonly BackupSecret[], isLast: boolean) => {
    const context = contextOf(opener, lines.length, isLast);
    const { nonce, data, tag } = seal(Buffer.from(JSON.stringify(secrets)), key, context);
    lines.push(lineOf({ nonce: textOf(nonce), data: textOf(data), tag: textOf(tag) }));
  };
  add([], false);
  let count = 0;
  for await (const secrets of parts) {
    add(secrets, false);
    count += secrets.length;
  }
  add([], true);
  return { count, lines };
}

/**
 * Opens what `sealSecrets` sealed. Rejects with a 400 Refusal that names `passphrase` where it is another one, or the member where
 * that was altered or is of a later version. Gives way to others between slices of time.
 */
export async function openSecrets(text: string, passphrase: string): Promise<readonly BackupSecret[]> {
  const [first = '', ...lines] = text.split('\n');
  const read = parsedOr(first);
  const { version } = parsedAs(anyHead, read, `${SECRETS}, line 1`);
  if (version > VERSION)
    throw badRequest(
      `The secrets of the backup are of a later Fieldbench (format ${version}, this one reads up to ${VERSION}); update Fieldbench, or restore the backup without their passphrase`,
    );
  const { opener } = parsedAs(head, read, `${SECRETS}, line 1`);
  // What follows the last line feed.
  if (lines.pop() !== '' || lines.length < 2) throw unreadable(SECRETS, 'it is cut off');
  const key = await stretching.run(() => keyOfPassphrase(passphrase, opener));
  const found: BackupSecret[] = [];
  const pace = new Pace();
  for (const [i, line] of lines.entries()) {
    const where = `${SECRETS}, line ${i + 2}`;
    const { nonce, data, tag } = parsedAs(frame, parsedOr(line), where);
    const sealed = { nonce: bytesOf(nonce), data: bytesOf(data), tag: bytesOf(tag) };
    const plain = unseal(sealed, key, contextOf(opener, i + 1, i === lines.length - 1));
    if (plain === null) throw i === 0 ? otherPassphrase() : unreadable(where, 'it was altered');
    for (const each of parsedAs(content, parsedOr(plain.toString()), where)) found.push(each);
    await pace.pause();
  }
  return found;
}

const otherPassphrase = () =>
  badRequest(
    `passphrase must be the one of the backup: its ${quote(SECRETS)} does not open with it; nothing was restored`,
  );

const textOf = (bytes: Buffer) => bytes.toString('base64');
const bytesOf = (text: string) => Buffer.from(text, 'base64');
const lineOf = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);

/** A frame opens in its place of this member alone. */
const contextOf = (opener: PassphraseOpener, line: number, isLast: boolean) =>
  Buffer.from(JSON.stringify(['fieldbench backup secrets', VERSION, valuesOfOpener(opener), line, isLast]));
