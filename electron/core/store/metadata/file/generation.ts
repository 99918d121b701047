import { systemRandom } from '../../../base/system-random.ts';

/*
 * Which writing of metadata.json a file is: a number that counts up, and what no other writing has, so that a journal
 * never goes on from another folder's file or from one that a backup brought back.
 */

const SALT_BYTES = 4;
const FIRST = '0-00000000';

/** The name of the writing after this one. */
export function nextGeneration(generation: string = FIRST): string {
  return `${numberOf(generation) + 1}-${systemRandom.bytes(SALT_BYTES).toString('hex')}`;
}

export const numberOf = (generation: string): number => Number.parseInt(generation, 10);
