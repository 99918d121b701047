import { dateParts, readTime, type DateOrder, type EpochUnit, type TimeFormat } from './time-format.ts';

export interface TimeGuess {
  readonly format: TimeFormat;
  /** The first text that reads as a time, for messages. */
  readonly example: string;
  /** Of the texts, how many read as a time: 0 to 1. */
  readonly share: number;
  /** Whether some of them say no zone. */
  readonly zoneNeeded: boolean;
  /** Whether day and month could as well be the other way round. */
  readonly ambiguous: boolean;
}

/** Guesses how times are written from some of them; null where none reads as a time. Empty texts do not count. */
export function guessTime(
  texts: readonly string[],
  given?: Exclude<DateOrder, 'year-first'>,
): TimeGuess | null {
  const written = texts.filter((text) => text !== '');
  const { format, ambiguous } = guessCalendar(written, given) ?? guessEpoch(written) ?? {};
  if (!format) return null;
  const read = written.map((text) => readTime(text, format));
  const example = written.find((_, index) => read[index] !== null);
  if (example === undefined) return null;
  return {
    format,
    example,
    share: read.filter((time) => time !== null).length / written.length,
    zoneNeeded: read.some((time) => time !== null && !time.zoned),
    ambiguous: ambiguous ?? false,
  };
}

type FormatGuess = { readonly format: TimeFormat; readonly ambiguous?: boolean };

function calendar(order: DateOrder, ambiguous = false): FormatGuess {
  return { format: { kind: 'calendar', order }, ambiguous };
}

function guessCalendar(
  texts: readonly string[],
  given?: Exclude<DateOrder, 'year-first'>,
): FormatGuess | null {
  const dates = texts.flatMap((text) => dateParts(text) ?? []);
  if (dates.length === 0) return null;
  if (dates.filter((date) => date.yearFirst).length * 2 >= dates.length) return calendar('year-first');
  if (given) return calendar(given);
  // Only one order makes a month of every number that is more than 12.
  const dayFirst = dates.filter((date) => date.first > 12).length;
  const monthFirst = dates.filter((date) => date.second > 12).length;
  if (dayFirst !== monthFirst) return calendar(dayFirst > monthFirst ? 'day-first' : 'month-first');
  // Dots are written where the day comes first, AM and PM where the month does.
  if (dates.every((date) => date.separator === '.')) return calendar('day-first');
  if (dates.some((date) => date.half)) return calendar('month-first');
  // Recordings are dense: days that follow each other make a shorter span than months that do.
  const [asDays, asMonths] = [span(texts, 'day-first'), span(texts, 'month-first')];
  return calendar(asMonths < asDays ? 'month-first' : 'day-first', asMonths === asDays);
}

function span(texts: readonly string[], order: DateOrder): number {
  const times = texts.flatMap((text) => readTime(text, { kind: 'calendar', order })?.time ?? []);
  return times.reduce((a, b) => Math.max(a, b), -Infinity) - times.reduce((a, b) => Math.min(a, b), Infinity);
}

/** Epoch units from the longest: a number belongs to the first whose numbers, from 1973 on, are as large. */
const EPOCH_UNITS: readonly (readonly [EpochUnit, number])[] = [
  ['ns', 1e17],
  ['µs', 1e14],
  ['ms', 1e11],
  ['s', 1e8],
];

function guessEpoch(texts: readonly string[]): FormatGuess | null {
  const numbers = texts.filter((text) => /^-?\d+(\.\d+)?$/.test(text)).map((text) => Math.abs(Number(text)));
  if (numbers.length === 0 || numbers.length * 2 < texts.length) return null;
  const largest = numbers.reduce((a, b) => Math.max(a, b));
  const unit = EPOCH_UNITS.find(([, least]) => largest >= least)?.[0];
  return unit ? { format: { kind: 'epoch', unit } } : null;
}

const EPOCH_NAMES: Record<EpochUnit, string> = {
  s: 'seconds',
  ms: 'milliseconds',
  µs: 'microseconds',
  ns: 'nanoseconds',
};

/** How times are written, for people: `2015-02-04 17:51:00, no zone`. */
export function describeTimeFormat({ format, example, zoneNeeded }: TimeGuess): string {
  if (format.kind === 'epoch') return `${example}, ${EPOCH_NAMES[format.unit]} since 1970`;
  const order = { 'year-first': '', 'day-first': ', day first', 'month-first': ', month first' }[
    format.order
  ];
  return `${example}${order}, ${zoneNeeded ? 'no zone' : 'with zone'}`;
}
