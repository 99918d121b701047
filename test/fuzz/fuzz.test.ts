import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpOperationIds } from '#shared/operations/index.ts';
import { freshSeed } from '../helpers/chance.ts';
import { someRuns } from '../helpers/some-runs.ts';
import { runFuzz } from './run.ts';
import { INGEST } from './properties.ts';
import { openTarget, type Target } from './target.ts';

/* Requests that nobody thought of, some to each operation; `npm run fuzz` sends more of them for as long as one likes. */

const RUNS = someRuns(25);
/** A failure takes many more requests to be made small. */
const LIMIT_MS = 300_000;

let target: Target;
beforeAll(async () => void (target = await openTarget()));
afterAll(() => target.stop());

test.each([...httpOperationIds, INGEST])(
  '%s stands whatever it is sent',
  async (id) => void (await runFuzz(target, id, { seed: freshSeed(), runs: RUNS })),
  LIMIT_MS,
);

test('the service has logged nothing but requests it refused', () => {
  expect(target.logged.filter((line) => line.includes(' error '))).toEqual([]);
});
