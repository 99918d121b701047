import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import type { SecretRef, Vault } from '../vault/vault.ts';

/*
 * The key by which an installation signs what it hands over: Ed25519 (RFC 8032), made when it is asked for first, kept in the vault.
 * Its signatures are deterministic.
 */

export const SIGNING_KEY: SecretRef = { kind: 'signing-key', id: 'handover' };

/** The public half of a key. */
export interface PublicKey {
  /** SubjectPublicKeyInfo (RFC 8410) in PEM. */
  readonly pem: string;
  /** SHA-256 of the same in DER, in hex. */
  readonly fingerprint: string;
}

export interface SigningKey extends PublicKey {
  /** Returns 64 bytes. */
  readonly sign: (bytes: Uint8Array) => Buffer;
}

type KeyPlace = Pick<Vault, 'get' | 'set' | 'setFirst' | 'readKept'>;

/** Keys that are being made, by vault: who asks meanwhile gets the same. */
const making = new WeakMap<object, Promise<void>>();

/** Resolves with the key that is kept, or with a new one that is kept from then on. Rejects with VaultError. */
export async function signingKeyOf(vault: KeyPlace): Promise<SigningKey> {
  const kept = await vault.get(SIGNING_KEY);
  if (kept !== null) return keyIn(kept);
  const made = making.get(vault) ?? make(vault);
  making.set(vault, made);
  try {
    await made;
  } finally {
    making.delete(vault);
  }
  // Another service of the same vault may have made one before: the first one that is kept counts.
  const [now = null] = await vault.readKept([SIGNING_KEY]);
  if (now === null) throw new Error('The vault lacks the key that it has just kept.');
  return keyIn(now);
}

async function make(vault: KeyPlace): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await (vault.setFirst ? vault.setFirst(SIGNING_KEY, pem) : vault.set(SIGNING_KEY, pem));
}

function keyIn(pem: string): SigningKey {
  const key = createPrivateKey(pem);
  return { ...publicHalf(createPublicKey(key)), sign: (bytes) => sign(null, bytes, key) };
}

function publicHalf(key: KeyObject): PublicKey {
  return {
    pem: key.export({ type: 'spki', format: 'pem' }).toString(),
    fingerprint: hash('sha256', key.export({ type: 'spki', format: 'der' }), 'hex'),
  };
}

/** Returns the public key of a PEM; null where it is none of Ed25519, or not written as one is here. */
export function readPublicKey(pem: string): PublicKey | null {
  try {
    const key = createPublicKey({ key: pem, format: 'pem', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? publicHalf(key) : null;
  } catch {
    // Not a key, for whatever reason.
    return null;
  }
}

/** Whether a signature is that of the key, of these bytes. */
export function isSignedBy({ pem }: PublicKey, bytes: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === 64 && verify(null, bytes, createPublicKey(pem), signature);
}
