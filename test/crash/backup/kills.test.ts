import { expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { killedBackups } from './kills.ts';
import { someRuns } from '../../helpers/some-runs.ts';

const KILLS = someRuns(32);

test(
  'a service that is killed in the middle of backups and restores is whole each time',
  { timeout: 300_000 },
  async () => {
    expect(await withSeed((seed) => killedBackups(seed, KILLS))).toMatch(new RegExp(`^${KILLS} kills`));
  },
);
