import { expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { huntExcursions } from './hunt-excursions.ts';

/*
 * Recordings with gaps, late, doubled and equal times: each excursion and each µs is what the naive model has, in memory and
 * over a database. More of them: npm run excursions -- --recordings N
 */

const RECORDINGS = someRuns(1_000);

test('excursions of random recordings are those of the naive model, and the times add up to the span', () =>
  withSeed(async (seed) => {
    const { answers, excursions, gaps } = await huntExcursions(seed, RECORDINGS);
    expect(answers).toBeGreaterThanOrEqual(RECORDINGS * 20);
    expect(excursions).toBeGreaterThan(RECORDINGS);
    expect(gaps).toBeGreaterThan(RECORDINGS);
  }));
