import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Chances } from './chance.ts';

/** Range from which `randomInt` draws without rejection: a power of two below its limit of 2^48. */
const STEPS = 2 ** 47;

/**
 * The system's own source, which no seed reaches: nonces, salts and keys of encryption, and what tells files, locks,
 * connections and services apart. Ids and secrets that the service gives out take the Chance that is handed in
 * (docs/decisions.md, "Two clocks, two sources of chance").
 */
export const systemRandom: Chances = {
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
  number: () => randomInt(STEPS) / STEPS,
  of: () => systemRandom,
};
