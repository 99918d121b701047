import * as fc from 'fast-check';
import { propertiesOf } from './properties.ts';
import type { Target } from './target.ts';

/** Sends `runs` requests of each kind to one operation; throws the smallest that breaks a rule, and how to have it again. */
export async function runFuzz(
  target: Target,
  id: string,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Promise<number> {
  const operation = target.operations.find((one) => one.id === id);
  if (operation === undefined) throw new RangeError(`The OpenAPI document has no operation ${id}.`);
  const properties = propertiesOf(target, operation);
  for (const { name, property } of properties) {
    try {
      await fc.assert(property, { seed, numRuns: runs });
    } catch (error) {
      const again = `npm run fuzz -- --only ${id} --seed ${seed} --runs ${runs}`;
      throw new Error(`${id}, ${name}. Again: ${again}\n${(error as Error).message}`, { cause: error });
    }
  }
  return properties.length * runs;
}
