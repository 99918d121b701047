import { describe, expect, test } from 'vitest';
import { powerCuts } from '../../../faults/power-cuts.ts';
import { withSeed } from '../../../helpers/chance.ts';
import { openTiny } from './open-tiny.ts';

/** Enough to come by every file operation of the workload in a few runs; torture takes each. */
const STRIDE = 46;

describe('the append log, when the power is cut', () => {
  test('keeps what it acknowledged, once, whatever the disk made of the rest', async () => {
    const states = withSeed((seed) => powerCuts(openTiny, { first: seed % STRIDE, stride: STRIDE }));
    // How many operations there are depends on what shares a sync.
    expect(await states).toBeGreaterThan(10);
  });
});
