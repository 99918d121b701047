import { afterAll, expect, test } from 'vitest';
import { freshSeed } from '../../helpers/chance.ts';
import { someRuns, someSeeds } from '../../helpers/some-runs.ts';
import { doorNames, openDoorTarget, shareOf } from './run.ts';

/* Some hundred inputs of a fresh seed; npm run fuzz hands in as many as one likes. */

const SEEDS = someSeeds(20_260_301, freshSeed());
/** By all doors, for each seed. */
const INPUTS = someRuns(1250);
/** A failure takes many more inputs to be made small. */
const LIMIT_MS = 300_000;

const target = openDoorTarget();
afterAll(() => target.stop());

test.each(doorNames.flatMap((door) => SEEDS.map((seed) => [door, seed] as const)))(
  '%s stands whatever comes in, seed %i, and has everything after it was started again',
  async (door, seed) => {
    expect(await target.run(door, { seed, inputs: shareOf(door, INPUTS) })).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
