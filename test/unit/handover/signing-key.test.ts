import { verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSignedBy, readPublicKey, signingKeyOf } from '#core/handover/signing-key.ts';

/** A vault of one secret that several services have open; each reads it before any of them has kept one. */
function sharedVault(services: number) {
  let kept: string | null = null;
  let waiting = 0;
  const { promise: all, resolve } = Promise.withResolvers<void>();
  return () => ({
    async get() {
      const was = kept;
      if (++waiting === services) resolve();
      await all;
      return was;
    },
    async set(_: unknown, secret: string) {
      kept = secret;
    },
    readKept: async () => [kept],
  });
}

test('of services that make a key at once the one that is kept signs from then on', async () => {
  const open = sharedVault(2);
  const vaults = [open(), open()];
  await Promise.all(vaults.map((vault) => signingKeyOf(vault)));
  const [one, other] = await Promise.all(vaults.map((vault) => signingKeyOf(vault)));
  expect(one?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(other?.fingerprint).toBe(one?.fingerprint);
});

test('askers at once of one service get the same', async () => {
  const vault = sharedVault(3)();
  const keys = await Promise.all([signingKeyOf(vault), signingKeyOf(vault), signingKeyOf(vault)]);
  expect(new Set(keys.map(({ fingerprint }) => fingerprint)).size).toBe(1);
});

test('a signature is the same twice, and that of the public half alone', async () => {
  const key = await signingKeyOf(sharedVault(1)());
  const bytes = Buffer.from('what is handed over');
  const signature = key.sign(bytes);
  expect(key.sign(bytes).equals(signature)).toBe(true);
  expect(verify(null, bytes, key.pem, signature)).toBe(true);
  const half = readPublicKey(key.pem);
  expect(half?.fingerprint).toBe(key.fingerprint);
  expect(half && isSignedBy(half, bytes, signature)).toBe(true);
  expect(half && isSignedBy(half, Buffer.from('something else'), signature)).toBe(false);
  const other = await signingKeyOf(sharedVault(1)());
  expect(isSignedBy(other, bytes, signature)).toBe(false);
});

test.each(['', 'words', '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VuAyEA\n-----END PUBLIC KEY-----\n'])(
  'what is no key is none: %j',
  (pem) => expect(readPublicKey(pem)).toBeNull(),
);
