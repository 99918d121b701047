import type { TimeFinding } from '#shared/operations/records/times.ts';
import { roughDuration } from '../../../components/facts/duration-words.ts';
import { countOf } from '../../../format.ts';

/* What is odd about times, in words. */

type Kind = TimeFinding['kind'];

export const FINDING_TITLES: Readonly<Record<Kind, string>> = {
  epoch: 'In 1970 or 1971',
  year_2036: 'In 2036',
  future: 'Ahead of now',
  gap: 'Gaps',
  equal_times: 'Equal times',
  equal_records: 'Records stored twice',
  late: 'Arrived late',
};

/** Why it happens, and what one place of it is. */
export const FINDING_REASONS: Readonly<Record<Kind, string>> = {
  epoch:
    'The device had not set its clock when it stored these, or sends seconds: a timestamp that is a number counts milliseconds.',
  year_2036: 'The seconds of the device’s network clock ran over, or were never received.',
  future: 'These are more than a day ahead of this computer’s clock.',
  gap: 'Nothing was stored for much longer than usual.',
  equal_times: 'Several records have the very same time. Each is kept; a chart draws them on one spot.',
  equal_records: 'These have the time, keys and values of another record: sent or imported twice.',
  late: 'These were received after records that are newer: kept back by the device, or imported later.',
};

/** `3 records in 2 places`; `2 gaps`; `none`. */
export function amountOf({ kind, records, places }: TimeFinding): string {
  if (places === 0) return 'none';
  if (kind === 'gap') return countOf(places, 'gap');
  return places === 1
    ? countOf(records, 'record')
    : `${countOf(records, 'record')} in ${countOf(places, 'place')}`;
}

/** Whether its records can be wrong, so that somebody may want to delete them. */
export const canDelete = (kind: Kind) => kind !== 'gap';

/** `30 min after`; `2 h before`; `at` the own time within a millisecond. µs. */
export function skewText(skew: number): string {
  const seconds = Math.abs(skew) / 1e6;
  if (seconds < 0.001) return 'at the same time';
  return `${roughDuration(seconds)} ${skew > 0 ? 'after' : 'before'}`;
}
