import { describe, expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { hasPostgres } from '../../helpers/postgres/postgres.ts';
import { killedCorrections } from './corrections.ts';
import { killedCluster } from './kills.ts';

describe.skipIf(!hasPostgres)('three processes over one database that are killed, as it is', () => {
  test('lose nothing, double nothing and leave nothing behind', async () => {
    const some = { services: 2, databases: 2, pauses: 0, everyMs: 200 };
    expect(await withSeed((seed) => killedCluster(seed, some))).toContain('acknowledged');
  });

  test('have a correction for the next read of any of them, and all of it or nothing after a kill', async () => {
    const some = { services: 2, everyMs: 500 };
    expect(await withSeed((seed) => killedCorrections(seed, some))).toContain('2 kills of services');
  });
});
