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
