import { expect, test } from 'vitest';
import type { AlarmEvent } from '#shared/domain/alarms.ts';
import { isTold } from '#core/api/alarms/told-elsewhere.ts';

/* What happened up to 100 was judged elsewhere, and what a clock that was ahead said of 500 to 600. */

const TOLD = { function_id: 'f', at: 100, ahead: { start: 500, end: 600 } };

test.each<[AlarmEvent, number, number | null, boolean]>([
  ['raised', 100, null, true],
  ['raised', 101, null, false],
  ['raised', 499, null, false],
  ['raised', 500, 600, true],
  ['raised', 601, null, false],
  ['ended', 50, 100, true],
  ['ended', 50, 101, false],
  ['ended', 500, 600, true],
  ['ended', 500, 601, false],
  ['amended', 50, null, true],
  ['amended', 50, 200, false],
  ['withdrawn', 50, 200, true],
  ['withdrawn', 101, null, false],
])(
  'that an alarm was %s which fired at %i and ended at %s was told elsewhere: %s',
  (event, fired, end, is) => {
    expect(isTold({ fired, end }, event, TOLD)).toBe(is);
    expect(isTold({ fired, end }, event, null)).toBe(false);
  },
);
