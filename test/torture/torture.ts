/*
 * Tries to break what is on disk, and what MQTT acknowledges, for as long as one likes: `npm run torture -- --minutes N`.
 * Each job has a seed, which is printed; the first that fails ends it with exit code 1 and says how to have it again.
 */
import { parseArgs } from 'node:util';
import { freshSeed } from '../helpers/chance.ts';
import { JOBS } from './jobs.ts';

const USAGE = `npm run torture -- [--minutes N] [--only ${Object.keys(JOBS).join('|')}] [--seed S]`;

interface Plan {
  readonly minutes: number;
  readonly jobs: readonly string[];
  /** Null: a new one each time. */
  readonly seed: number | null;
}

function planOf(args: readonly string[]): Plan {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string' }, only: { type: 'string' }, seed: { type: 'string' } },
  });
  const minutes = Number(values.minutes ?? 5);
  if (!(minutes > 0)) throw new RangeError(`--minutes takes a number above 0, got "${values.minutes}".`);
  if (values.only !== undefined && !Object.hasOwn(JOBS, values.only))
    throw new RangeError(`--only takes one of ${Object.keys(JOBS).join(', ')}, got "${values.only}".`);
  const seed = values.seed === undefined ? null : Number(values.seed);
  if (seed !== null && !Number.isSafeInteger(seed))
    throw new RangeError(`--seed takes a whole number, got "${values.seed}".`);
  return { minutes, jobs: values.only === undefined ? Object.keys(JOBS) : [values.only], seed };
}

/** Resolves with the exit code: 0 when the time is over, 1 when a job failed. */
async function torture({ minutes, jobs, seed }: Plan): Promise<number> {
  const start = performance.now();
  const elapsed = () => ((performance.now() - start) / 60_000).toFixed(1);
  for (let round = 0; performance.now() - start < minutes * 60_000; round++) {
    const name = jobs[round % jobs.length] ?? '';
    const chosen = seed ?? freshSeed();
    try {
      const done = await JOBS[name]?.(chosen);
      console.log(`${elapsed()} min  ${name}, seed ${chosen}: ${done}`);
    } catch (error) {
      console.error(error);
      console.error(`\nFailed: ${name}. Again: npm run torture -- --only ${name} --seed ${chosen}`);
      return 1;
    }
    if (seed !== null && round + 1 >= jobs.length) break;
  }
  return 0;
}

try {
  process.exitCode = await torture(planOf(process.argv.slice(2)));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 2;
}
