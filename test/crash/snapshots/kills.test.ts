import { expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { killedSnapshots } from './kills.ts';
import { someRuns } from '../../helpers/some-runs.ts';

const KILLS = someRuns(32);

test(
  'a service that is killed while it takes and restores snapshots has all of one or nothing',
  { timeout: 300_000 },
  async () => {
    expect(await withSeed((seed) => killedSnapshots(seed, KILLS))).toMatch(new RegExp(`^${KILLS} kills`));
  },
);
