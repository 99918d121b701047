import { createHash } from 'node:crypto';

/*
 * Receipts are kept as digests: of one size however long they are, and no text that a client sent. Two receipts of a
 * device with the same 128 bits of SHA-256 will not be met.
 */

export const DIGEST_BYTES = 16;
export const DIGEST_WORDS = DIGEST_BYTES / 4;

/** Four u32. */
export type Digest = Uint32Array;

export function digestOf(receipt: string): Digest {
  const hash = createHash('sha256').update(receipt, 'latin1').digest();
  return Uint32Array.from({ length: DIGEST_WORDS }, (_, i) => hash.readUInt32LE(i * 4));
}

/** A digest as text: the hexadecimal digits of its bytes as they are on disk. */
export function hexOf(digest: Digest): string {
  const bytes = Buffer.alloc(DIGEST_BYTES);
  for (const [i, word] of digest.entries()) bytes.writeUInt32LE(word, i * 4);
  return bytes.toString('hex');
}

/** The digest again; `hex` has 32 digits. */
export function digestOfHex(hex: string): Digest {
  const bytes = Buffer.from(hex, 'hex');
  return Uint32Array.from({ length: DIGEST_WORDS }, (_, i) => bytes.readUInt32LE(i * 4));
}
