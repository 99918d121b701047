import type { Micros } from '../values/time.ts';

/** Kinds of findings on the times of records. */
export const FINDINGS = [
  'epoch',
  'year_2036',
  'future',
  'gap',
  'equal_times',
  'equal_records',
  'late',
] as const;

const yearStart = (year: number): Micros => Date.UTC(year, 0, 1) * 1000;
const EPOCH_END = yearStart(1972);
const DAY_US = 86_400e6;

/**
 * Returns the oddity of a time that cannot be right: a clock that was never set counts from 1970, one whose NTP seconds have
 * run over reads 2036, and others are ahead. Null for any other time.
 */
export function oddityOf(time: Micros, now: Micros): 'epoch' | 'year_2036' | 'future' | null {
  if (time >= 0 && time < EPOCH_END) return 'epoch';
  if (time <= now + DAY_US) return null;
  return time >= yearStart(2036) && time < yearStart(2037) ? 'year_2036' : 'future';
}
