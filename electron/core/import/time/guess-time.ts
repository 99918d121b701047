import type { FileSettings, TimeKind } from '#shared/operations/records.ts';
import { isNumber, markOf, readEither, type Mark } from '../text/number-text.ts';
import {
  dateParts,
  epochUnit,
  readTime,
  type DateOrder,
  type DayCount,
  type EpochUnit,
  type TimeFormat,
} from './time-format.ts';
import { elapsedUnit, isTimeName, type ElapsedUnit } from './time-name.ts';

export interface TimeGuess {
  readonly format: TimeFormat;
  /** The first text that reads as a time, for messages. */
  readonly example: string;
  /** Of the texts, how many read as a time: 0 to 1. */
  readonly share: number;
  /** Whether some of them say no zone. */
  readonly zoneNeeded: boolean;
  /** Whether every date could as well be read with day and month the other way round, and neither was chosen. */
  readonly ambiguous: boolean;
}

/** How each kind of times is read; null where the texts themselves say it. */
export const FORMAT_OF_KIND = {
  date: null,
  'epoch-s': { kind: 'epoch', unit: 's', only: false },
  'epoch-ms': { kind: 'epoch', unit: 'ms', only: false },
  'epoch-us': { kind: 'epoch', unit: 'µs', only: false },
  'epoch-ns': { kind: 'epoch', unit: 'ns', only: false },
  'days-1900': { kind: 'days', since: '1900' },
  'days-1904': { kind: 'days', since: '1904' },
  'elapsed-ms': { kind: 'elapsed', unit: 'ms' },
  'elapsed-s': { kind: 'elapsed', unit: 's' },
  'elapsed-min': { kind: 'elapsed', unit: 'min' },
  'elapsed-h': { kind: 'elapsed', unit: 'h' },
  'elapsed-d': { kind: 'elapsed', unit: 'd' },
} as const satisfies Record<TimeKind, TimeFormat | null>;

export interface TimeHints {
  /** What the column is called; how it is called may say what its numbers are. */
  readonly name?: string;
  readonly order?: FileSettings['date_order'] | undefined;
  readonly kind?: TimeKind | undefined;
  /** What stands before fractions, if it was chosen. */
  readonly mark?: Mark | undefined;
  /** The same as far as other columns show it. */
  readonly usualMark?: Mark | undefined;
  /** Whether it was named as the column of times, so that any rising numbers may be elapsed seconds. */
  readonly chosen?: boolean;
}

/** Guesses how times are written from some of them; null where none reads as a time. Empty texts do not count. */
export function guessTime(texts: readonly string[], hints: TimeHints = {}): TimeGuess | null {
  const written = texts.filter((text) => text !== '');
  const guess = guessFormat(written, hints);
  if (!guess) return null;
  const { format, ambiguous = false } = guess;
  const read = written.map((text) => readTime(text, format));
  const example = written.find((_, index) => read[index] !== null);
  if (example === undefined) return null;
  return {
    format,
    example,
    share: read.filter((time) => time !== null).length / written.length,
    zoneNeeded: read.some((time) => time !== null && !time.zoned),
    ambiguous,
  };
}

type FormatGuess = { readonly format: TimeFormat; readonly ambiguous?: boolean };

function guessFormat(texts: readonly string[], hints: TimeHints): FormatGuess | null {
  const { name = '', order, kind } = hints;
  const given = kind && FORMAT_OF_KIND[kind];
  if (given?.kind === 'elapsed' || given?.kind === 'days')
    return { format: { ...given, mark: guessMark(texts, hints) } };
  if (given) return { format: given };
  const dates = guessCalendar(texts, order) ?? guessWritten(texts, kind === 'date' || isTimeName(name));
  if (dates || kind === 'date') return dates;
  return guessEpoch(texts) ?? guessElapsed(texts, hints);
}

function calendar(order: DateOrder, ambiguous = false): FormatGuess {
  return { format: { kind: 'calendar', order }, ambiguous };
}

function guessCalendar(texts: readonly string[], given?: FileSettings['date_order']): FormatGuess | null {
  const dates = texts.flatMap((text) => dateParts(text) ?? []);
  if (dates.length === 0) return null;
  if (dates.filter((date) => date.yearFirst).length * 2 >= dates.length) return calendar('year-first');
  if (given) return calendar(given);
  // Only one order makes a month of every number that is more than 12.
  const dayFirst = dates.filter((date) => date.first > 12).length;
  const monthFirst = dates.filter((date) => date.second > 12).length;
  if (dayFirst !== monthFirst) return calendar(dayFirst > monthFirst ? 'day-first' : 'month-first');
  const either = dayFirst === 0;
  // Dots are written where the day comes first, AM and PM where the month does.
  if (dates.every((date) => date.separator === '.')) return calendar('day-first', either);
  if (dates.some((date) => date.half)) return calendar('month-first', either);
  // Recordings are dense: days that follow each other make a shorter span than months that do.
  const [asDays, asMonths] = [span(texts, 'day-first'), span(texts, 'month-first')];
  return calendar(asMonths < asDays ? 'month-first' : 'day-first', either);
}

function span(texts: readonly string[], order: DateOrder): number {
  const times = texts.flatMap((text) => readTime(text, { kind: 'calendar', order })?.time ?? []);
  return times.reduce((a, b) => Math.max(a, b), -Infinity) - times.reduce((a, b) => Math.min(a, b), Infinity);
}

/** Dates without separators, or with the month by its name, where all of the column is so; digits alone need a name. */
function guessWritten(texts: readonly string[], named: boolean): FormatGuess | null {
  if (texts.length === 0 || (!named && texts.every((text) => /^\d+$/.test(text)))) return null;
  const format: TimeFormat = { kind: 'calendar', order: 'year-first' };
  return texts.every((text) => readTime(text, format) !== null) ? { format } : null;
}

function guessEpoch(texts: readonly string[]): FormatGuess | null {
  const numbers = texts
    .filter((text) => /^-?(?:0|[1-9]\d*)(?:[.,]\d+)?$/.test(text))
    .map((text) => Number(text.replace(',', '.')));
  if (numbers.length === 0 || numbers.length * 2 < texts.length) return null;
  // The middle one: a single number of another size must not decide for all.
  const sizes = numbers.map(Math.abs).toSorted((a, b) => a - b);
  const unit = epochUnit(sizes[sizes.length >> 1] ?? 0);
  return unit ? { format: { kind: 'epoch', unit, only: true } } : null;
}

/** Longer recordings than this are not counted in seconds; larger numbers are something else. */
const MOST_ELAPSED = 1e10;

/** Numbers that rise from near zero, by the name of their column. */
function guessElapsed(texts: readonly string[], hints: TimeHints): FormatGuess | null {
  const { name = '', chosen = false } = hints;
  const unit = elapsedUnit(name) ?? (chosen ? 's' : null);
  if (unit === null || !texts.every(isNumber)) return null;
  const mark = guessMark(texts, hints);
  const numbers = texts.map((text) => readEither(text, mark) ?? 0);
  const [first = 0] = numbers;
  const last = numbers.at(-1) ?? 0;
  if (numbers.length < 2 || first < 0 || last <= first || last > MOST_ELAPSED) return null;
  // "t" may be a temperature, and "min" a minimum: these must count from 0 and never stand still.
  const sure = chosen || /time|elapsed|zeit|dauer|^t[ _]/i.test(name);
  const rises = numbers.every((number, row) => {
    const before = numbers[row - 1] ?? -Infinity;
    return sure ? number >= before : number > before;
  });
  return rises && (sure || (first === 0 && numbers.length > 2))
    ? { format: { kind: 'elapsed', unit, mark } }
    : null;
}

/** What stands before the fractions of times: "1,000" is one second where "0,500" came before it. */
function guessMark(texts: readonly string[], { mark, usualMark }: TimeHints): Mark {
  if (mark) return mark;
  const marks = texts.map(markOf);
  const [point, comma] = [marks.includes('.'), marks.includes(',')];
  if (point !== comma) return comma ? ',' : '.';
  // Thousands stand beside numbers below a thousand; three decimals stand in every row.
  return (
    usualMark ?? (!point && marks.every((own) => own === 'either') && texts[0]?.includes(',') ? ',' : '.')
  );
}

const EPOCH_NAMES: Record<EpochUnit, string> = {
  s: 'seconds',
  ms: 'milliseconds',
  µs: 'microseconds',
  ns: 'nanoseconds',
};

const ELAPSED_NAMES: Record<ElapsedUnit, string> = {
  ms: 'milliseconds',
  s: 'seconds',
  min: 'minutes',
  h: 'hours',
  d: 'days',
};

const FIRST_DAYS: Record<DayCount, string> = { 1900: '1899-12-30', 1904: '1904-01-01' };

/** The time_kind that a format is of. */
export function kindOfFormat(format: TimeFormat): TimeKind {
  if (format.kind === 'epoch') return EPOCH_KINDS[format.unit];
  if (format.kind === 'days') return `days-${format.since}`;
  return format.kind === 'elapsed' ? `elapsed-${format.unit}` : 'date';
}

const EPOCH_KINDS = { s: 'epoch-s', ms: 'epoch-ms', µs: 'epoch-us', ns: 'epoch-ns' } as const;

/** How times are written, for people: `2015-02-04 17:51:00, no zone`. */
export function describeTimeFormat({ format, example, zoneNeeded }: TimeGuess): string {
  if (format.kind === 'epoch') return `${example}, ${EPOCH_NAMES[format.unit]} since 1970`;
  if (format.kind === 'days') return `${example}, days since ${FIRST_DAYS[format.since]}, no zone`;
  if (format.kind === 'elapsed') return `${example}, ${ELAPSED_NAMES[format.unit]} since the start`;
  const order = { 'year-first': '', 'day-first': ', day first', 'month-first': ', month first' }[
    format.order
  ];
  return `${example}${order}, ${zoneNeeded ? 'no zone' : 'with zone'}`;
}
