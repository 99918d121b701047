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

/** Returns digests as the bytes that they are on disk, one behind the other. */
export function packed(digests: Iterable<Digest>): Buffer {
  const bytes: Buffer[] = [];
  for (const digest of digests) {
    const each = Buffer.alloc(DIGEST_BYTES);
    for (const [i, word] of digest.entries()) each.writeUInt32LE(word, i * 4);
    bytes.push(each);
  }
  return Buffer.concat(bytes);
}

/** The digests again, oldest first. */
export function* unpacked(bytes: Buffer): Generator<Digest> {
  for (let at = 0; at < bytes.length; at += DIGEST_BYTES)
    yield Uint32Array.from({ length: DIGEST_WORDS }, (_, i) => bytes.readUInt32LE(at + i * 4));
}
