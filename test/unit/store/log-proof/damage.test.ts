import { beforeAll, describe, expect, test } from 'vitest';
import { checkHarmed, flips, sampleOf, truncations, type Harm, type Sample } from '../../../faults/damage.ts';
import { SMALL_STORE } from '../../../faults/workload.ts';
import { withSeed } from '../../../helpers/chance.ts';
import { openTiny } from './open-tiny.ts';

/* Some of all places, other ones each time; torture takes every one. */

describe('a damaged append log', () => {
  let sample: Sample;
  beforeAll(async () => {
    sample = await sampleOf(openTiny, SMALL_STORE);
  });

  async function check(harms: Iterable<Harm>): Promise<{ tried: number; lost: number }> {
    let tried = 0;
    let lost = 0;
    for (const harm of harms) {
      const { error, notes } = await checkHarmed(openTiny, sample, harm);
      tried++;
      if (error || notes.some(({ kind }) => kind === 'damaged')) lost++;
    }
    return { tried, lost };
  }

  test('that lost the end of a file answers only what was stored, and says what is missing', async () => {
    const { tried, lost } = await withSeed((seed) => check(truncations(sample, 29, seed % 29)));
    expect(tried).toBeGreaterThan(50);
    expect(lost).toBeGreaterThan(tried / 4);
  });

  test('with a bit flipped anywhere answers only what was stored, and says what is missing', async () => {
    const { tried, lost } = await withSeed((seed) => check(flips(sample, 149, seed % 149)));
    expect(tried).toBeGreaterThan(100);
    expect(lost).toBeGreaterThan(tried / 4);
  });
});
