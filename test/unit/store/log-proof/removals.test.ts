import * as fc from 'fast-check';
import { describe, test } from 'vitest';
import { removalProperty } from '../../../faults/removals.ts';
import { openTiny } from './open-tiny.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

describe('a device that is removed from the append log', () => {
  test('leaves nothing on the disk, whatever else was asked for and however the process ended', () =>
    fc.assert(removalProperty(openTiny), { numRuns: someRuns(300) }));
});
