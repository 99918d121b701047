import { NONCE_BYTES, seal, TAG_BYTES, unseal } from '../vault/sealing.ts';

/** Returns bytes sealed under a key for one place, as a column holds them: nonce, tag, data. */
export function sealBytes(plain: Uint8Array, key: Uint8Array, place: string): Buffer {
  const { nonce, tag, data } = seal(plain, key, Buffer.from(place));
  return Buffer.concat([nonce, tag, data]);
}

/** Returns what `sealBytes` sealed; null where the key or the place is another, or a bit has changed. */
export function unsealBytes(sealed: Buffer, key: Uint8Array, place: string): Buffer | null {
  const head = NONCE_BYTES + TAG_BYTES;
  if (sealed.length < head) return null;
  const parts = {
    nonce: sealed.subarray(0, NONCE_BYTES),
    tag: sealed.subarray(NONCE_BYTES, head),
    data: sealed.subarray(head),
  };
  return unseal(parts, key, Buffer.from(place));
}
