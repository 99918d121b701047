import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import { VaultError } from '../base/errors.ts';
import { JOURNAL_ID, JOURNAL_SECRET_BYTES } from './journal-format.ts';
import { base64, passphraseOpener, valuesOfOpener } from './passphrase-opener.ts';
import { KEY_BYTES, NONCE_BYTES, seal, TAG_BYTES, unseal } from './sealing.ts';

/*
 * vault.json: which journal holds the secrets, and that journal's key, wrapped by what opens the vault: a passphrase, or
 * vault.key beside it (docs/storage-format.md, "The file vault"). Replacing it is what makes another journal count.
 */

const VERSION = 2;
/** The oldest that is read, of the first release. */
const OLDEST = 2;

/** Opener of a vault; of a passphrase the parameters of its stretching. */
const opener = z.discriminatedUnion('kind', [passphraseOpener, z.object({ kind: z.literal('key-file') })]);
export type Opener = z.infer<typeof opener>;

const vaultFile = z.object({
  version: z.literal(VERSION),
  opener,
  journal: z.string().regex(JOURNAL_ID),
  nonce: base64(NONCE_BYTES),
  wrapped: base64(JOURNAL_SECRET_BYTES),
  tag: base64(TAG_BYTES),
  /** SHA-256 of all of the above: tells damage from a wrong passphrase. */
  checksum: base64(KEY_BYTES),
});
export type VaultFile = z.infer<typeof vaultFile>;
type Content = Omit<VaultFile, 'checksum'>;

/** Returns the text of vault.json that names a journal and wraps its secret under `key`. */
export function vaultFileText(
  named: Pick<VaultFile, 'opener' | 'journal'>,
  journalSecret: Uint8Array,
  key: Uint8Array,
): string {
  const { nonce, data, tag } = seal(journalSecret, key, contextOf(named));
  const content: Content = {
    version: VERSION,
    opener: named.opener,
    journal: named.journal,
    nonce: nonce.toString('base64'),
    wrapped: data.toString('base64'),
    tag: tag.toString('base64'),
  };
  return `${JSON.stringify({ ...content, checksum: checksumOf(content).toString('base64') }, null, 2)}\n`;
}

/** Returns the secret of the journal; null where the key is another. */
export function journalSecretOf(file: VaultFile, key: Uint8Array): Buffer | null {
  const [nonce, data, tag] = [file.nonce, file.wrapped, file.tag].map((text) => Buffer.from(text, 'base64'));
  if (!nonce || !data || !tag) return null;
  return unseal({ nonce, data, tag }, key, contextOf(file));
}

/** Reads vault.json. Throws VaultError `damaged`, naming the file. */
export function readVaultFile(bytes: Uint8Array, path: string): VaultFile {
  let content: unknown;
  try {
    content = parseJson(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw damaged(path, 'it is not JSON', cause);
  }
  const said = z.object({ version: z.int() }).safeParse(content);
  if (said.success && said.data.version > VERSION) throw newer(path, said.data.version, VERSION);
  if (said.success && said.data.version < OLDEST) throw older(path, said.data.version);
  const read = vaultFile.safeParse(content);
  if (!read.success) throw damaged(path, 'it lacks some of its fields', read.error);
  if (!timingSafeEqual(checksumOf(read.data), Buffer.from(read.data.checksum, 'base64')))
    throw damaged(path, 'its checksum does not fit');
  return read.data;
}

export function newer(path: string, found: number, known: number): VaultError {
  return new VaultError(
    'damaged',
    `${path} has format ${found}, and this Fieldbench reads formats up to ${known}. ` +
      'It was left as it is: start the newer Fieldbench.',
  );
}

function older(path: string, found: number): VaultError {
  return new VaultError(
    'damaged',
    `${path} has format ${found}, which no release has written, and this Fieldbench reads formats from ${OLDEST} on. It ` +
      'was left as it is. Move it away to start: devices store data as before, and new tokens and API keys can be made.',
  );
}

export function damaged(path: string, reason: string, cause?: unknown): VaultError {
  return new VaultError(
    'damaged',
    `${path} is damaged (${reason}); it was left as it is. Put all vault files of the data directory back from a ` +
      'backup, or move them away: devices store data as before, and new tokens and API keys can be made for the lost ones.',
    { cause },
  );
}

export function wrongPassphrase(path: string): VaultError {
  return new VaultError(
    'wrong-passphrase',
    `The passphrase in FIELDBENCH_PASSPHRASE is not the one that ${path} was made with. Nothing was changed.`,
  );
}

/** The wrapped secret opens in the file that names this journal and this opener, and in no other. */
function contextOf({ opener: by, journal }: Pick<VaultFile, 'opener' | 'journal'>): Buffer {
  const how = by.kind === 'passphrase' ? valuesOfOpener(by) : [by.kind];
  return Buffer.from(JSON.stringify(['fieldbench vault', VERSION, how, journal]));
}

function checksumOf(content: Content): Buffer {
  const { nonce, wrapped, tag } = content;
  return createHash('sha256')
    .update(contextOf(content))
    .update(JSON.stringify([nonce, wrapped, tag]))
    .digest();
}
