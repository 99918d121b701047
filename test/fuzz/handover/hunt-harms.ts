import { createHash } from 'node:crypto';
import { verifyPackage } from '#core/handover/verify/verify-package.ts';
import { Random } from '../files/random.ts';
import type { Intact } from './harm.ts';
import { drawHarm } from './harms.ts';
import { drawMembers, filesOf, inMemory, keyOf, packed, signerOf, zipOf } from './package.ts';

/* Random packages, each harmed some times, each harm of which has to be found and named. */

export interface Hunted {
  readonly packages: number;
  readonly harms: number;
  /** By what was done, how often. */
  readonly kinds: Readonly<Record<string, number>>;
}

const SEED_RANGE = 2 ** 31;
/** Harms of one package. */
const EACH = 25;

/** Throws with the seed of the first harm that is not found, or not named, and of a package that is called harmed and is not. */
export async function huntHarms(seed: number, harms: number): Promise<Hunted> {
  const kinds: Record<string, number> = {};
  let [done, packages] = [0, 0];
  for (; done < harms; packages++) {
    const own = (seed + packages) % SEED_RANGE;
    const random = new Random(own);
    const intact = await intactOf(random, own);
    const { fingerprint: expected } = await signerOf(intact.key);
    for (let i = 0; i < EACH && done < harms; i++, done++) {
      const { kind, what, zip, judge } = drawHarm(random, intact);
      const found = await verifyPackage(inMemory(zip), { expected });
      try {
        if (found.harmed === 0) throw new Error('Nothing is found.');
        judge(found);
      } catch (error) {
        const said = found.findings.map(({ message }) => `  ${message}`).join('\n');
        throw new Error(`Seed ${own}, harm ${i + 1}: ${what}. ${(error as Error).message}\n${said}`, {
          cause: error,
        });
      }
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
  }
  return { packages, harms: done, kinds };
}

async function intactOf(random: Random, seed: number): Promise<Intact> {
  const bytes = (name: string) => createHash('sha256').update(`${name} ${seed}`).digest();
  const [key, otherKey] = [keyOf(bytes('own')), keyOf(bytes('other'))];
  const members = drawMembers(random);
  const zip = await packed(members, key);
  const files = await filesOf(members, key);
  const { fingerprint: expected } = await signerOf(key);
  for (const whole of [zip, zipOf(files), zipOf(files.toReversed(), false)]) {
    const found = await verifyPackage(inMemory(whole), { expected });
    if (found.harmed > 0 || found.fingerprint !== expected)
      throw new Error(`Seed ${seed}: the package is as it was signed, and it says ${JSON.stringify(found)}`);
  }
  return { zip, files, key, otherKey };
}
