import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSecrets, sealSecrets, type BackupSecret } from '#core/backup/sealed-secrets.ts';

/* The member of a backup that has its secrets (docs/backup.md, "The secrets"). */

/** scrypt's N: quick. */
const COST = 16;
const SECRETS: readonly BackupSecret[] = [
  { table: 'devices', id: 'pump', secret: 'token of the pump' },
  { table: 'api_keys', id: 'rig', secret: 'fb_key' },
];

async function* inParts(...parts: readonly (readonly BackupSecret[])[]) {
  yield* parts;
}

async function sealed(
  passphrase = 'right',
  parts = [SECRETS.slice(0, 1), SECRETS.slice(1)],
): Promise<string> {
  const { lines } = await sealSecrets(inParts(...parts), passphrase, COST);
  return Buffer.concat(lines).toString();
}

const secret = fc.record({
  table: fc.constantFrom('devices' as const, 'api_keys' as const),
  id: fc.uuid(),
  secret: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
});

test('secrets come back by their passphrase alone, and none of them can be read in the file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(secret, { maxLength: 5 }), { maxLength: 4 }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      async (parts, passphrase) => {
        const { count, lines } = await sealSecrets(inParts(...parts), passphrase, COST);
        expect(count).toBe(parts.flat().length);
        const text = Buffer.concat(lines).toString();
        for (const { id } of parts.flat()) expect(text).not.toContain(id);
        expect(await openSecrets(text, passphrase)).toEqual(parts.flat());
        await expect(openSecrets(text, `${passphrase}x`)).rejects.toThrow(/^passphrase must be the one of/);
      },
    ),
    { numRuns: 30 },
  );
});

test('the file says by what it is opened, and the same is sealed otherwise each time', async () => {
  const { lines } = await sealSecrets(inParts(SECRETS), 'right');
  expect(JSON.parse(lines[0]?.toString() ?? '')).toEqual({
    version: 1,
    opener: {
      kind: 'passphrase',
      kdf: 'scrypt',
      N: 131_072,
      r: 8,
      p: 1,
      salt: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/) as string,
    },
  });
  const [one, other] = [await sealed(), await sealed()];
  expect(new Set([...one.split('\n'), ...other.split('\n')]).size).toBe(11);
});

test('a passphrase is the same however its letters were typed', async () => {
  expect(await openSecrets(await sealed('gr\u00fcn'), 'gru\u0308n')).toEqual(SECRETS);
});

test('no bit can be changed', async () => {
  const text = await sealed();
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: text.length - 1 }), fc.nat({ max: 6 }), async (at, bit) => {
      const bytes = Buffer.from(text);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      // Base64 has bits that say nothing, and a JSON text letters that mean the same.
      const found = await openSecrets(bytes.toString('latin1'), 'right').catch((error: Error) => error);
      if (found instanceof Error)
        expect(found.message).toMatch(/^(passphrase must be|The secrets of|The backup)/);
      else expect(found).toEqual(SECRETS);
    }),
    { numRuns: 200 },
  );
});

const lines = (text: string) => text.trimEnd().split('\n');
const joined = (all: readonly (string | undefined)[]) => `${all.join('\n')}\n`;

test.each<[what: string, change: (text: string) => string, message: RegExp]>([
  ['without its end', (text) => joined(lines(text).slice(0, -1)), /line 4", it was altered/],
  ['cut in a line', (text) => text.slice(0, -5), /secrets\.enc", it is cut off/],
  ['of its beginning alone', (text) => joined(lines(text).slice(0, 2)), /it is cut off/],
  [
    'in another order',
    (text) => joined([0, 1, 3, 2, 4].map((n) => lines(text)[n])),
    /line 3", it was altered/,
  ],
  [
    'with a line twice',
    (text) => joined([0, 1, 2, 2, 3, 4].map((n) => lines(text)[n])),
    /line 4", it was altered/,
  ],
  [
    'of a later version',
    (text) => text.replace('"version":1', '"version":2'),
    /of a later Fieldbench \(format 2/,
  ],
  ['with no power of two', (text) => text.replace('"N":16', '"N":17'), /line 1", opener\.N/],
  ['that is no JSON', () => 'something else\n', /line 1"/],
  ['with nothing in it', () => '', /line 1"/],
])('a file %s is refused, in words', async (_, change, message) => {
  await expect(openSecrets(change(await sealed()), 'right')).rejects.toThrow(message);
});

test('frames of another backup with the same passphrase do not open', async () => {
  const [one, other] = [lines(await sealed()), lines(await sealed())];
  await expect(openSecrets(joined([one[0], one[1], other[2], ...one.slice(3)]), 'right')).rejects.toThrow(
    /line 3", it was altered/,
  );
});
