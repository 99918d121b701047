/*
 * The chance of tests beside fast-check's. Whatever is drawn in test/ takes its seed from here: so a failure can be had again,
 * and npm test knows by its imports that a test has chance (scripts/lib/chance.mjs) and never tries it a second time.
 */

/** A seed from 0 to 2³¹; always the same one where FIELDBENCH_SEED says it. Throws RangeError where that is no such number. */
export function freshSeed(): number {
  const given = process.env['FIELDBENCH_SEED'];
  if (given === undefined || given === '') return Math.floor(Math.random() * 2 ** 31);
  const seed = Number(given);
  if (Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 31) return seed;
  throw new RangeError(`FIELDBENCH_SEED takes a whole number from 0 to ${2 ** 31 - 1}, got "${given}".`);
}

/** Works on what a fresh seed says. Whatever it rejects with names the seed and how to have the same again. */
export async function withSeed<T>(work: (seed: number) => T | Promise<T>): Promise<T> {
  const seed = freshSeed();
  try {
    return await work(seed);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Seed ${seed}, again with FIELDBENCH_SEED=${seed}:\n${why}`, { cause: error });
  }
}
