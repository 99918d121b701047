import { describe, expect, test } from 'vitest';
import { powerCuts } from '../../../faults/power-cuts.ts';
import { openTiny } from './open-tiny.ts';

/** Enough to come by every file operation of the workload in a few runs; torture takes each. */
const STRIDE = 31;

describe('the append log, when the power is cut', () => {
  test('keeps what it acknowledged, once, whatever the disk made of the rest', async () => {
    const first = Math.floor(Math.random() * STRIDE);
    expect(await powerCuts(openTiny, { first, stride: STRIDE })).toBeGreaterThan(50);
  });
});
