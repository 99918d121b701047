import type { TimeKind } from '#shared/operations/records/records.ts';
import { FIRST_DAYS } from './days.ts';
import { kindOfFormat, type TimeGuess } from './guess-time.ts';

/** What kinds of times are, in a sentence. */
export const NAMES_OF_KINDS: Record<TimeKind, string> = {
  date: 'dates',
  'epoch-s': 'seconds since 1970',
  'epoch-ms': 'milliseconds since 1970',
  'epoch-us': 'microseconds since 1970',
  'epoch-ns': 'nanoseconds since 1970',
  'days-1900': `days since ${FIRST_DAYS[1900]}, as spreadsheets count them`,
  'days-1904': `days since ${FIRST_DAYS[1904]}, as spreadsheets on an old Mac count them`,
  'elapsed-ms': 'milliseconds since the start',
  'elapsed-s': 'seconds since the start',
  'elapsed-min': 'minutes since the start',
  'elapsed-h': 'hours since the start',
  'elapsed-d': 'days since the start',
};

/** How times are written, for people: `2015-02-04 17:51:00, no zone`. */
export function describeTimeFormat({ format, example, zoneNeeded }: TimeGuess): string {
  const form = `${example}${describeForm(format)}`;
  if (format.kind === 'epoch' || format.kind === 'elapsed') return form;
  return `${form}, ${zoneNeeded ? 'no zone' : 'with zone'}`;
}

/** What an example of a time leaves open, behind a comma; empty for a year of four digits that is first. */
export function describeForm(format: TimeGuess['format']): string {
  if (format.kind === 'digits') return `, as ${format.form}`;
  if (format.kind !== 'calendar') return `, ${NAMES_OF_KINDS[kindOfFormat(format)]}`;
  if (format.order === 'year-first') return format.short ? ', year first' : '';
  return format.order === 'day-first' ? ', day first' : ', month first';
}
