import * as fc from 'fast-check';
import { test } from 'vitest';
import { crashProperty } from '../../../faults/random-crashes.ts';
import { erasingProperty } from '../../../faults/erasing.ts';
import { removalProperty } from '../../../faults/removals.ts';
import { sleepingProperty, type Step } from '../../../faults/sleeping.ts';
import { openSleeping } from './open-tiny.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

/* Devices that sleep in the log until somebody asks for them: most limits have them all awake before anybody does. */

const record = { timestamp: 0, received: 0, keys: ['a'], values: [1] };
const append = (device: string): Step => ({
  together: [{ kind: 'append', device, records: [record], receipt: undefined }],
  ends: null,
  questions: [],
});

/** A device that only the log tells of is removed and comes back, and a file is imported to it: nothing of it is in the log. */
const IMPORTED_AFTER: readonly Step[] = [
  append('f'),
  append('a'),
  { together: [{ kind: 'drop', device: 'f', retires: true }], ends: null, questions: [] },
  { together: [{ kind: 'batch', device: 'f', chunks: [[record]], commit: true }], ends: null, questions: [] },
];

test('a device holds what it should, whoever else was asked for since the start', () =>
  fc.assert(sleepingProperty(openSleeping), { numRuns: someRuns(150), examples: [[IMPORTED_AFTER]] }));

test('devices that sleep are what the naive model says', () =>
  fc.assert(crashProperty(openSleeping), { numRuns: someRuns(100) }));

test('what was deleted of devices that sleep is in no file once it was closed', () =>
  fc.assert(erasingProperty(openSleeping), { numRuns: someRuns(100) }));

test('a device that slept and is removed leaves nothing on the disk', () =>
  fc.assert(removalProperty(openSleeping), { numRuns: someRuns(150) }));
