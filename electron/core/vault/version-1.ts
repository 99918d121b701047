import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import type { SecretMap } from './secret-map.ts';
import { BLOCK_SIZE, isCost, NONCE_BYTES, SALT_BYTES, stretch, TAG_BYTES, unseal } from './sealing.ts';
import { base64, damaged, wrongPassphrase } from './vault-file.ts';

/*
 * vault.json as it was first: all secrets in it, sealed as one text under a passphrase, and written anew with each
 * change. It is only read (docs/storage-format.md, "The file vault").
 */

const PROOF_BYTES = 32;

const version1 = z.object({
  version: z.literal(1),
  kdf: z.object({
    name: z.literal('scrypt'),
    N: z.int().refine(isCost),
    r: z.literal(BLOCK_SIZE),
    p: z.literal(1),
  }),
  salt: base64(SALT_BYTES),
  /** SHA-256 of the second half of what scrypt gives. */
  proof: base64(PROOF_BYTES),
  nonce: base64(NONCE_BYTES),
  tag: base64(TAG_BYTES),
  data: z.base64(),
  /** SHA-256 of all of the above. */
  checksum: base64(32),
});
type Version1 = z.infer<typeof version1>;

/** Returns the secrets of a file of version 1. Throws VaultError `wrong-passphrase` or `damaged`, naming the file. */
export async function openVersion1(content: unknown, passphrase: string, path: string): Promise<SecretMap> {
  const read = version1.safeParse(content);
  if (!read.success) throw damaged(path, 'it lacks some of its fields', read.error);
  const file = read.data;
  if (!timingSafeEqual(checksumOf(file), bytes(file.checksum)))
    throw damaged(path, 'its checksum does not fit');
  const stretched = await stretch(passphrase, bytes(file.salt), file.kdf.N, 64);
  if (!timingSafeEqual(sha256(stretched.subarray(32)), bytes(file.proof))) throw wrongPassphrase(path);
  const sealed = { nonce: bytes(file.nonce), data: bytes(file.data), tag: bytes(file.tag) };
  const text = unseal(sealed, stretched.subarray(0, 32), additionalData(file));
  if (text === null) throw damaged(path, 'what it holds was altered');
  return new Map(Object.entries(parseJson(text.toString('utf8')) as Record<string, string>));
}

function additionalData({ version, kdf, salt, proof, nonce }: Version1): Buffer {
  return Buffer.from(JSON.stringify([version, kdf.name, kdf.N, kdf.r, kdf.p, salt, proof, nonce]));
}

function checksumOf(file: Version1): Buffer {
  return sha256(Buffer.concat([additionalData(file), Buffer.from(JSON.stringify([file.tag, file.data]))]));
}

const bytes = (text: string) => Buffer.from(text, 'base64');
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest();
