import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  scrypt,
  timingSafeEqual,
  type ScryptOptions,
} from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { parseJson } from '#shared/json.ts';
import { VaultError } from '../errors.ts';

/*
 * Text sealed under a passphrase, as a JSON file:
 *   scrypt (RFC 7914) of the passphrase and a random salt gives 64 bytes: an AES-256 key, and a proof of the passphrase;
 *   AES-256-GCM (NIST SP 800-38D) with a new random 96-bit nonce per write seals the text, with the header as its
 *   additional data;
 *   a checksum over all of it tells a damaged file from a wrong passphrase.
 */

const VERSION = 1;

/** The memory scrypt takes is 128 · N · r bytes: 128 MB and about 0.4 s, OWASP's figure for interactive use. */
const COST = 2 ** 17;
const BLOCK_SIZE = 8;
/** A file that asks for more than this was not made here. */
const MAX_COST = 2 ** 20;

const base64 = (bytes: number) =>
  z
    .base64()
    .refine((text) => Buffer.from(text, 'base64').length === bytes, `must be ${bytes} bytes in base64`);

const sealed = z.object({
  version: z.int(),
  kdf: z.object({
    name: z.literal('scrypt'),
    N: z.int().min(2).max(MAX_COST),
    r: z.literal(BLOCK_SIZE),
    p: z.literal(1),
  }),
  salt: base64(16),
  /** SHA-256 of the second half of what scrypt gives. */
  proof: base64(32),
  nonce: base64(12),
  tag: base64(16),
  data: z.base64(),
  /** SHA-256 of all of the above. */
  checksum: base64(32),
});
type Sealed = z.infer<typeof sealed>;
type Header = Omit<Sealed, 'tag' | 'data' | 'checksum'>;

/** What a passphrase and a salt give; the key stays in memory, so that a write need not run scrypt again. */
export interface SealingKey {
  readonly cost: number;
  readonly salt: Buffer;
  readonly key: Buffer;
  readonly proof: Buffer;
}

/** A key with a salt of its own. */
export function newKey(passphrase: string, cost = COST): Promise<SealingKey> {
  return derive(passphrase, randomBytes(16), cost);
}

async function derive(passphrase: string, salt: Buffer, cost: number): Promise<SealingKey> {
  const options: ScryptOptions = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 2 * 128 * BLOCK_SIZE * cost };
  // Unicode writes some letters in two ways, and keyboards differ in which they send.
  const bytes = await scryptBytes(passphrase.normalize('NFC'), salt, 64, options);
  return { cost, salt, key: bytes.subarray(0, 32), proof: sha256(bytes.subarray(32)) };
}

const scryptBytes = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Seals the text under a nonce of its own; returns the file's content. */
export function seal(text: string, { cost, salt, key, proof }: SealingKey): string {
  const nonce = randomBytes(12);
  const header: Header = {
    version: VERSION,
    kdf: { name: 'scrypt', N: cost, r: BLOCK_SIZE, p: 1 },
    salt: salt.toString('base64'),
    proof: proof.toString('base64'),
    nonce: nonce.toString('base64'),
  };
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(additionalData(header));
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
  const content = { ...header, tag: cipher.getAuthTag().toString('base64'), data };
  return `${JSON.stringify({ ...content, checksum: checksumOf(content).toString('base64') }, null, 2)}\n`;
}

/** Opens what `seal` made. Throws VaultError `wrong-passphrase` or `damaged`, naming the file. */
export async function openSealed(
  bytes: Uint8Array,
  passphrase: string,
  path: string,
): Promise<{ text: string; key: SealingKey }> {
  const file = readFile(bytes, path);
  const key = await derive(passphrase, Buffer.from(file.salt, 'base64'), file.kdf.N);
  if (!timingSafeEqual(key.proof, Buffer.from(file.proof, 'base64')))
    throw new VaultError(
      'wrong-passphrase',
      `The passphrase in FIELDBENCH_PASSPHRASE is not the one that ${path} was made with. Nothing was changed.`,
    );
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.key, Buffer.from(file.nonce, 'base64'))
      .setAAD(additionalData(file))
      .setAuthTag(Buffer.from(file.tag, 'base64'));
    const text = decipher.update(file.data, 'base64', 'utf8') + decipher.final('utf8');
    return { text, key };
  } catch (cause) {
    throw damaged(path, 'what it holds was altered', cause);
  }
}

function readFile(bytes: Uint8Array, path: string): Sealed {
  let content: unknown;
  try {
    content = parseJson(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw damaged(path, 'it is not JSON', cause);
  }
  const newer = z.object({ version: z.int().min(VERSION + 1) }).safeParse(content);
  if (newer.success)
    throw new VaultError(
      'damaged',
      `${path} has format ${newer.data.version}, and this Fieldbench reads formats up to ${VERSION}. ` +
        'It was left as it is: start the newer Fieldbench.',
    );
  const read = sealed.safeParse(content);
  if (!read.success) throw damaged(path, 'it lacks some of its fields', read.error);
  const { checksum, ...rest } = read.data;
  if (!timingSafeEqual(checksumOf(rest), Buffer.from(checksum, 'base64')))
    throw damaged(path, 'its checksum does not fit');
  return read.data;
}

function damaged(path: string, reason: string, cause?: unknown): VaultError {
  return new VaultError(
    'damaged',
    `${path} is damaged (${reason}); it was left as it is. Put it back from a backup, or move it away: devices store ` +
      'data as before, and new tokens and API keys can be made for the lost ones.',
    { cause },
  );
}

function additionalData({ version, kdf, salt, proof, nonce }: Header): Buffer {
  return Buffer.from(JSON.stringify([version, kdf.name, kdf.N, kdf.r, kdf.p, salt, proof, nonce]));
}

function checksumOf({ tag, data, ...header }: Omit<Sealed, 'checksum'>): Buffer {
  return sha256(Buffer.concat([additionalData(header), Buffer.from(JSON.stringify([tag, data]))]));
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
