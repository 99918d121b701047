import { inspect } from 'node:util';

/*
 * The chance of tests beside fast-check's. Whatever is drawn in test/ takes its seed from here: so a failure can be had again,
 * and npm test knows by its imports that a test has chance (scripts/lib/suites/chance.mjs) and never tries it a second time.
 */

/** How far one seed of a process lies from the next: 2³² by the golden ratio, so that few of them are near each other. */
const STRIDE = 0x9e3779b1;
/** Some lines of text where a test's report is all that is left of a run. */
const SHOWN = { depth: 3, maxArrayLength: 30, maxStringLength: 4000 };
let drawn = { from: NaN, seeds: 0 };

/**
 * A seed from 0 to 2³¹. Where FIELDBENCH_SEED says one, the first is that and further ones follow from it: a test that is run
 * alone by the seed which it named has the very same again. Throws RangeError where that is no such number.
 */
export function freshSeed(): number {
  const given = process.env['FIELDBENCH_SEED'];
  if (given === undefined || given === '') return Math.floor(Math.random() * 2 ** 31);
  const seed = Number(given);
  if (Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 31) {
    if (drawn.from !== seed) drawn = { from: seed, seeds: 0 };
    return (seed + drawn.seeds++ * STRIDE) % 2 ** 31;
  }
  throw new RangeError(`FIELDBENCH_SEED takes a whole number from 0 to ${2 ** 31 - 1}, got "${given}".`);
}

/** Works on what a fresh seed says. Whatever it rejects with names the seed and how to have the same again. */
export async function withSeed<T>(work: (seed: number) => T | Promise<T>): Promise<T> {
  const seed = freshSeed();
  try {
    return await work(seed);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Seed ${seed}, again with FIELDBENCH_SEED=${seed}:\n${why}${comparedOf(error)}`, {
      cause: error,
    });
  }
}

/** What an assertion compared, which its message cuts short. */
function comparedOf(error: unknown): string {
  if (!(error instanceof Error) || !('actual' in error && 'expected' in error)) return '';
  const { actual, expected } = error;
  return `\nexpected: ${inspect(expected, SHOWN)}\nreceived: ${inspect(actual, SHOWN)}`;
}
