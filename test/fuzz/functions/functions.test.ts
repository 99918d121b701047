import { expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { huntFunctions } from './hunt-functions.ts';
import { someRuns } from '../../helpers/some-runs.ts';

/* Scripts that nobody thought of. More of them: npm run functions -- --scripts N */

const SCRIPTS = someRuns(6400);

test('every random script has its outcomes, and scripts beside it answer rightly', () =>
  withSeed(async (seed) => {
    const { scripts, outcomes, ways } = await huntFunctions(seed, SCRIPTS);
    expect(scripts).toBe(SCRIPTS);
    expect(Object.keys(ways).length).toBe(5);
    expect(outcomes['ok']).toBeGreaterThan(50);
    expect(outcomes['thrown']).toBeGreaterThan(50);
  }));
