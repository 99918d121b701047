import { expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { huntHarms } from './hunt-harms.ts';
import { someRuns } from '../../helpers/some-runs.ts';

/* Harms of a package's zip, files, lines, manifest and signature. More of them: npm run harms -- --harms N */

const HARMS = someRuns(2400);

test('every random harm of a package is found and named', () =>
  withSeed(async (seed) => {
    const { harms, kinds } = await huntHarms(seed, HARMS);
    expect(harms).toBe(HARMS);
    expect(Object.keys(kinds).length).toBeGreaterThan(20);
  }));
