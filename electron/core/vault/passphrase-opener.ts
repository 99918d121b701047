import { z } from 'zod';
import { systemRandom } from '../base/system-random.ts';
import { BLOCK_SIZE, COST, isCost, SALT_BYTES, stretch } from './sealing.ts';

/** Text of so many bytes in base64. */
export const base64 = (bytes: number) =>
  z
    .base64()
    .refine((text) => Buffer.from(text, 'base64').length === bytes, `must be ${bytes} bytes in base64`);

/** What a passphrase is stretched with to a key, as a file has it. */
export const passphraseOpener = z.object({
  kind: z.literal('passphrase'),
  kdf: z.literal('scrypt'),
  N: z.int().refine(isCost),
  r: z.literal(BLOCK_SIZE),
  p: z.literal(1),
  salt: base64(SALT_BYTES),
});
export type PassphraseOpener = z.infer<typeof passphraseOpener>;

/** Resolves with an opener that has a salt of its own, and the key of 32 bytes. `cost`: scrypt's N. */
export async function newPassphraseOpener(
  passphrase: string,
  cost = COST,
): Promise<{ readonly opener: PassphraseOpener; readonly key: Buffer }> {
  const salt = systemRandom.bytes(SALT_BYTES);
  const kdf = { kdf: 'scrypt', N: cost, r: BLOCK_SIZE, p: 1, salt: salt.toString('base64') } as const;
  return { opener: { kind: 'passphrase', ...kdf }, key: await stretch(passphrase, salt, cost) };
}

/** Resolves with the key that a passphrase has by an opener. */
export const keyOfPassphrase = (passphrase: string, { salt, N }: PassphraseOpener): Promise<Buffer> =>
  stretch(passphrase, Buffer.from(salt, 'base64'), N);

/** All values of an opener, for the additional data of what it seals. */
export const valuesOfOpener = ({ kind, kdf, N, r, p, salt }: PassphraseOpener) =>
  [kind, kdf, N, r, p, salt] as const;
