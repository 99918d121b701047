import { describe, expect, test } from 'vitest';
import { record } from '../../../suites/record-store/harness.ts';
import { fullFor, singleFaults } from '../../../faults/faults.ts';
import type { Step } from '../../../faults/workload.ts';
import { withSeed } from '../../../helpers/chance.ts';
import { openTiny } from './open-tiny.ts';

const STRIDE = 30;

describe('the append log, when a file operation fails', () => {
  test('refuses in words or does what was asked, and keeps what it had', async () => {
    const states = withSeed((seed) => singleFaults(openTiny, { first: seed % STRIDE, stride: STRIDE }));
    expect(await states).toBeGreaterThan(20);
  });

  test('loses nothing where a file that is no longer needed cannot be removed', async () => {
    expect(await singleFaults(openTiny, { only: 'remove' })).toBeGreaterThan(20);
  });

  test('keeps an import whose commit the disk did not confirm until the next start knows whether it counts', async () => {
    const readings = (first: number) => Array.from({ length: 20 }, (_, i) => record((first + i) * 1000));
    const steps: Step[] = [
      [{ kind: 'append', device: 'd', records: readings(0) }],
      [{ kind: 'batch', device: 'd', chunks: [readings(100), readings(50)] }],
    ];
    expect(await singleFaults(openTiny, { steps })).toBeGreaterThan(20);
  });

  test('says that the disk is full while it is, and goes on once there is space', async () => {
    for (const [from, count] of [
      [15, 30],
      [60, 120],
      [200, 60],
      [300, 500],
    ] as const)
      await fullFor(openTiny, from, count);
  });
});
