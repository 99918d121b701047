import { describe, expect, it } from 'vitest';
import { fullFor, singleFaults } from '../../../suites/store-faults/faults.ts';
import { openTiny } from './open-tiny.ts';

const STRIDE = 15;

describe('the append log, when a file operation fails', () => {
  it('refuses in words or does what was asked, and keeps what it had', async () => {
    const first = Math.floor(Math.random() * STRIDE);
    expect(await singleFaults(openTiny, { first, stride: STRIDE })).toBeGreaterThan(20);
  });

  it('says that the disk is full while it is, and goes on once there is space', async () => {
    for (const [from, count] of [
      [15, 30],
      [60, 120],
      [200, 60],
      [300, 500],
    ] as const)
      await fullFor(openTiny, from, count);
  });
});
