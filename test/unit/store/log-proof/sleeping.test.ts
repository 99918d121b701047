import * as fc from 'fast-check';
import { test } from 'vitest';
import { crashProperty } from '../../../faults/random-crashes.ts';
import { erasingProperty } from '../../../faults/erasing.ts';
import { removalProperty } from '../../../faults/removals.ts';
import { sleepingProperty } from '../../../faults/sleeping.ts';
import { openSleeping } from './open-tiny.ts';

/* Devices that sleep in the log until somebody asks for them: most limits have them all awake before anybody does. */

test('a device holds what it should, whoever else was asked for since the start', () =>
  fc.assert(sleepingProperty(openSleeping), { numRuns: 150 }));

test('devices that sleep are what the naive model says', () =>
  fc.assert(crashProperty(openSleeping), { numRuns: 100 }));

test('what was deleted of devices that sleep is in no file once it was closed', () =>
  fc.assert(erasingProperty(openSleeping), { numRuns: 100 }));

test('a device that slept and is removed leaves nothing on the disk', () =>
  fc.assert(removalProperty(openSleeping), { numRuns: 150 }));
