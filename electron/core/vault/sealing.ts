import { createCipheriv, createDecipheriv, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { systemRandom } from '../base/system-random.ts';

/*
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce for everything that is sealed. `context` says what the sealed
 * bytes are and where they belong (the additional data): in any other place they do not open.
 */

export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
export const KEY_BYTES = 32;
export const SALT_BYTES = 16;

/** The memory scrypt takes is 128 · N · r bytes: 128 MB and about 0.4 s, OWASP's figure for interactive use. */
export const COST = 2 ** 17;
export const BLOCK_SIZE = 8;
/** Whether a file may ask for this cost: a power of two within limits. */
export const isCost = (cost: number) => cost >= 2 && cost <= 2 ** 20 && Number.isInteger(Math.log2(cost));

export interface Sealed {
  readonly nonce: Buffer;
  readonly data: Buffer;
  readonly tag: Buffer;
}

/** Seals bytes under a key of 32 bytes and a nonce of their own. */
export function seal(plain: Uint8Array, key: Uint8Array, context: Uint8Array): Sealed {
  const nonce = systemRandom.bytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(context);
  const data = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { nonce, data, tag: cipher.getAuthTag() };
}

/** Returns what `seal` sealed; null where the key or the context is another, or a bit has changed. */
export function unseal({ nonce, data, tag }: Sealed, key: Uint8Array, context: Uint8Array): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(context)
    .setAuthTag(tag);
  const plain = decipher.update(data);
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    // The one thing that `final` throws for: the tag does not fit.
    return null;
  }
}

/** Derives a key of 32 bytes from a passphrase by scrypt (RFC 7914), the same for the same salt and cost. */
export function stretch(passphrase: string, salt: Uint8Array, cost: number): Promise<Buffer> {
  const options: ScryptOptions = {
    N: cost,
    r: BLOCK_SIZE,
    p: 1,
    maxmem: 2 * 128 * BLOCK_SIZE * (cost + 16),
  };
  // Unicode writes some letters in two ways, and keyboards differ in which they send.
  return scryptBytes(passphrase.normalize('NFC'), salt, KEY_BYTES, options);
}

const scryptBytes = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);
