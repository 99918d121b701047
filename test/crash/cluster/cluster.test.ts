import { describe, expect, test } from 'vitest';
import { hasPostgres } from '../../helpers/postgres.ts';
import { killedCluster } from './kills.ts';

describe.skipIf(!hasPostgres)('three processes over one database that are killed, as it is', () => {
  test('lose nothing, double nothing and leave nothing behind', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const done = await killedCluster(seed, { services: 2, databases: 2, pauses: 0, everyMs: 200 }).catch(
      (error: unknown) => {
        throw new Error(`seed ${seed}`, { cause: error });
      },
    );
    expect(done).toContain('acknowledged');
  });
});
