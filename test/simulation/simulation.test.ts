import { describe, expect, test } from 'vitest';
import { freshSeed } from '../helpers/chance.ts';
import { someSeeds } from '../helpers/some-runs.ts';
import { simulate } from './run.ts';

/* The whole service under one seed, for some minutes of its clock. Hours of it: npm run simulation -- --seeds N */

const MINUTES = 6;
/** One that is new; with FIELDBENCH_RUNS=all one that is always the same, too. */
const seeds = someSeeds(3, freshSeed());

describe('the service under one seed', { timeout: 300_000 }, () => {
  test.each(seeds)('keeps what it acknowledged, and does the same twice, seed %i', async (seed) => {
    // What is loaded when it is needed first would take turns of the event loop.
    await simulate({ seed: 0, minutes: 1 });
    const first = await simulate({ seed, minutes: MINUTES });
    expect(await simulate({ seed, minutes: MINUTES })).toEqual(first);
    expect(first.records).toBeGreaterThan(0);
  });
});
