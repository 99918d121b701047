import type { FileSettings, TimeKind } from '#shared/operations/records/records.ts';
import type { Micros } from '#shared/values/time.ts';
import { isNumber, markOf, readEither, type Mark } from '../text/number-text.ts';
import { epochUnit, readTime, type TimeFormat } from './time-format.ts';
import { looksLikeDays } from './days.ts';
import type { FormatGuess } from './format-guess.ts';
import { guessCalendar } from './guess-calendar.ts';
import { goesLikeClock, guessDigits } from './digit-time.ts';
import { otherEpochs, type OtherEpochs } from './other-epochs.ts';
import { orderInName } from './named-order.ts';
import { elapsedUnit, isTimeName, namesUnit } from './time-name.ts';

export interface TimeGuess {
  readonly format: TimeFormat;
  /** The first text that reads as a time, for messages. */
  readonly example: string;
  /** Of the texts, how many read as a time: 0 to 1. */
  readonly share: number;
  /** Whether some of them say no zone. */
  readonly zoneNeeded: boolean;
  /** Whether some of them have fractions of a second. */
  readonly hasFractions: boolean;
  /** Whether every date could as well be read with day and month the other way round, and neither was chosen. */
  readonly ambiguous: boolean;
  /** Other kinds of times that its texts may be, the likeliest first. */
  readonly otherKinds: readonly TimeKind[];
  /** Whether nothing tells which of the kinds it is, so that it must be said. */
  readonly kindNeeded: boolean;
  /** Other days that its numbers may count from; null where nothing speaks for that. */
  readonly epochs: OtherEpochs | null;
}

/** How each kind of times is read; null where the texts themselves say it. */
const FORMAT_OF_KIND = {
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
  /** Times after it are unlikely. */
  readonly now: Micros;
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
export function guessTime(texts: readonly string[], hints: TimeHints): TimeGuess | null {
  const written = texts.filter((text) => text !== '');
  const guess = guessFormat(written, hints);
  if (!guess) return null;
  const { format, ambiguous = false, otherKinds = [], kindNeeded = false, epochs = null } = guess;
  const read = written.map((text) => readTime(text, format));
  const example = written.find((_, index) => read[index] !== null);
  if (example === undefined) return null;
  return {
    format,
    example,
    share: read.filter((time) => time !== null).length / written.length,
    zoneNeeded: read.some((time) => time !== null && !time.zoned),
    hasFractions: read.some((time) => time !== null && time.time % 1e6 !== 0),
    ambiguous,
    otherKinds,
    kindNeeded,
    epochs,
  };
}

function guessFormat(texts: readonly string[], hints: TimeHints): FormatGuess | null {
  const { name = '', order, kind, now } = hints;
  const given = kind && FORMAT_OF_KIND[kind];
  if (given?.kind === 'elapsed' || given?.kind === 'days')
    return { format: { ...given, mark: guessMark(texts, hints) } };
  if (given) return { format: given };
  const dates =
    guessCalendar(texts, {
      given: order === 'full-year-first' ? undefined : order,
      named: orderInName(name),
      now,
    }) ?? guessWritten(texts, kind === 'date' || isTimeName(name));
  if (dates) return dates;
  const digits = guessDigitDates(texts, hints);
  if (digits || kind === 'date') return digits;
  return guessEpoch(texts, { name, now }) ?? guessDays(texts, hints) ?? guessElapsed(texts, hints);
}

/** Dates without separators, or with the month by its name, where all of the column is so; digits alone need a name. */
function guessWritten(texts: readonly string[], named: boolean): FormatGuess | null {
  if (texts.length === 0 || (!named && texts.every((text) => /^\d+$/.test(text)))) return null;
  const format: TimeFormat = { kind: 'calendar', order: 'year-first' };
  return texts.every((text) => readTime(text, format) !== null) ? { format } : null;
}

/** A number of so many digits may be a date, or seconds or milliseconds since 1970. */
function guessDigitDates(texts: readonly string[], { kind, order }: TimeHints): FormatGuess | null {
  const guess = guessDigits(texts, order);
  if (!guess) return null;
  const { form, ambiguous } = guess;
  const format = { kind: 'digits', form } as const;
  // With years of four digits, numbers since 1970 would be of 1976, or of 2030 and later.
  if (kind === 'date' || order === 'year-first' || form.startsWith('YYYY')) return { format, ambiguous };
  const unit = epochUnit(Number(texts[0]));
  if (unit === null) return { format, ambiguous };
  const clock = goesLikeClock(texts, form);
  if (clock === false) return null;
  const otherKinds = clock === null ? [EPOCH_KINDS[unit]] : [];
  return { format, ambiguous, otherKinds, kindNeeded: clock === null };
}

/** Names of columns whose whole numbers may be days. */
const DAY_NAME = /date|datum|day|tag|fecha/i;

function guessDays(texts: readonly string[], hints: TimeHints): FormatGuess | null {
  const { name = '', chosen = false } = hints;
  if (texts.length === 0 || !texts.every(isNumber) || namesUnit(name)) return null;
  const mark = guessMark(texts, hints);
  const numbers = texts.map((text) => readEither(text, mark) ?? 0);
  if (!looksLikeDays(numbers)) return null;
  const whole = numbers.every(Number.isInteger);
  if (whole ? !DAY_NAME.test(name) : !(isTimeName(name) || chosen || rises(numbers))) return null;
  return { format: { kind: 'days', since: '1900', mark }, otherKinds: ['days-1904', 'elapsed-s'] };
}

/** Whether each number is above the one before. */
function rises(numbers: readonly number[]): boolean {
  return numbers.length > 1 && numbers.every((number, row) => number > (numbers[row - 1] ?? -Infinity));
}

function guessEpoch(
  texts: readonly string[],
  about: Required<Pick<TimeHints, 'name' | 'now'>>,
): FormatGuess | null {
  const numbers = texts
    .filter((text) => /^-?(?:0|[1-9]\d*)(?:[.,]\d+)?$/.test(text))
    .map((text) => Number(text.replace(',', '.')));
  if (numbers.length === 0 || numbers.length * 2 < texts.length) return null;
  // The middle one: a single number of another size must not decide for all.
  const sorted = numbers.toSorted((a, b) => Math.abs(a) - Math.abs(b));
  const usual = sorted[sorted.length >> 1] ?? 0;
  const unit = epochUnit(usual);
  if (unit === null) return null;
  // The first one, too: a clock may have been set ahead for more than half of them.
  const [first = usual] = numbers;
  const other =
    otherEpochs(usual, unit, about) ?? (epochUnit(first) === unit ? otherEpochs(first, unit, about) : null);
  return { format: { kind: 'epoch', unit, only: true }, epochs: other };
}

/** A first time from which on it is doubted that it counts from the start. */
const LATE_START = 1000;
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
  const risesSo = numbers.every((number, row) => {
    const before = numbers[row - 1] ?? -Infinity;
    return sure ? number >= before : number > before;
  });
  if (!risesSo || !(sure || (first === 0 && numbers.length > 2))) return null;
  // A recording counts from about 0; days, or numbers of something else, do not.
  const otherKinds: TimeKind[] = first >= LATE_START ? ['days-1900'] : [];
  return { format: { kind: 'elapsed', unit, mark }, otherKinds };
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

/** The time_kind that a format is of. */
export function kindOfFormat(format: TimeFormat): TimeKind {
  if (format.kind === 'epoch') return EPOCH_KINDS[format.unit];
  if (format.kind === 'days') return `days-${format.since}`;
  return format.kind === 'elapsed' ? `elapsed-${format.unit}` : 'date';
}

const EPOCH_KINDS = { s: 'epoch-s', ms: 'epoch-ms', µs: 'epoch-us', ns: 'epoch-ns' } as const;
