import { expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { huntCorrections } from './hunt-corrections.ts';
import { someRuns } from '../../helpers/some-runs.ts';

/*
 * Records read through random corrections are what the naive model has, from blocks at hand and over a database. More of them:
 * npm run corrections -- --cases N
 */

const CASES = someRuns(3200);

test('what is read through random corrections is what the naive model makes of all records', () =>
  withSeed(async (seed) => {
    const { answers, corrections, records } = await huntCorrections(seed, CASES);
    expect(answers).toBe(CASES * 26);
    expect(corrections).toBeGreaterThan(CASES / 2);
    expect(records).toBeGreaterThan(CASES);
  }));
