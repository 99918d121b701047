import { describe, expect, test } from 'vitest';
import { freshSeed } from '../helpers/chance.ts';
import { someRuns, someSeeds } from '../helpers/some-runs.ts';
import { hunt, type Kind } from './hunt.ts';
import { report } from './report.ts';

/*
 * The built service over HTTP against a naive model, with a seed that is new. Hours of it:
 * npm run differential -- --minutes N
 */

const SCRIPTS = { calm: 30, rough: 5 } as const;
/** A busy machine runs fewer of them. */
const LIMIT_MS = someRuns(32_000);
const SHRINK_MS = 90_000;
const seeds = someSeeds(1, freshSeed());

async function expectNone(kind: keyof typeof SCRIPTS & Kind, seed: number): Promise<void> {
  const given = { scripts: SCRIPTS[kind], shrinkMs: SHRINK_MS, limitMs: LIMIT_MS };
  const { ran, finding } = await hunt({ kind, seed, ...given });
  if (finding !== null) throw new Error(await report({ kind, seed }, finding));
  expect(ran).toBeGreaterThan(0);
}

describe('the service says what the model says', { timeout: 300_000 }, () => {
  test.each(seeds)('in one process, seed %i', (seed) => expectNone('calm', seed));
  test.each(seeds)('stopped, started and killed, seed %i', (seed) => expectNone('rough', seed));
});
