import { describe, expect, test } from 'vitest';
import { generator } from '../faults/random-crashes.ts';
import { readWhileStoring } from '../helpers/lab/lab-reads.ts';
import { withSeed } from '../helpers/chance.ts';
import { ownLab } from '../helpers/postgres/own-database.ts';
import { hasPostgres } from '../helpers/postgres/postgres.ts';
import { renewTokens, revokeKeys } from '../helpers/lab/revoked-keys.ts';

/* `npm run torture -- --only reads` and `--only revoked` do the same for as long as one likes. */

describe.skipIf(!hasPostgres)('of three services over one database', () => {
  const lab = ownLab(3);

  test('every read is of one moment, with all that was acknowledged before it at any of them', async () => {
    const { services } = lab;
    const load = { devices: 4, writers: 7, readers: 2, writes: 12 };
    const { reads } = await withSeed((seed) =>
      readWhileStoring({ services, ...load, random: generator(seed) }),
    );
    expect(reads).toBeGreaterThanOrEqual(40);
  });

  test('none takes a key once another one has answered that it is revoked', async () => {
    const { services } = lab;
    const tries = withSeed((seed) => revokeKeys({ services, keys: 20, random: generator(seed) }));
    expect(await tries).toBe(400);
  });

  test('none takes a token once another one has answered that it is renewed, while others store', async () => {
    const { services } = lab;
    const tries = withSeed((seed) => renewTokens({ services, keys: 20, random: generator(seed) }));
    expect(await tries).toBe(400);
  });
});
