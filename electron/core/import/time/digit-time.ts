import type { FileSettings } from '#shared/operations/records/records.ts';
import type { Micros } from '#shared/values/time.ts';

/** Dates written as digits alone: what each two or four of them are. */
export const DIGIT_FORMS = [
  'YYYYMMDDHH',
  'YYYYMMDDHHMM',
  'YYYYMMDDHHMMSS',
  'YYMMDDHHMM',
  'YYMMDDHHMMSS',
] as const;
export type DigitForm = (typeof DIGIT_FORMS)[number];

const DIGITS = /^(\d{10,14})(?:\.(\d{1,9}))?$/;
/** Recordings are younger; so digits that are something else are seldom taken for dates. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2099;

/** Reads such a date as µs since 1970 by the clock on the wall; null where the text is none. */
export function readDigits(text: string, form: DigitForm): Micros | null {
  const match = DIGITS.exec(text);
  const [, digits = '', fraction = ''] = match ?? [];
  if (digits.length !== form.length || (fraction !== '' && !form.endsWith('SS'))) return null;
  const short = !form.startsWith('YYYY');
  const pairs = digits.slice(short ? 2 : 4).match(/\d\d/g) ?? [];
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = pairs.map(Number);
  const year = short ? fullYear(Number(digits.slice(0, 2))) : Number(digits.slice(0, 4));
  if (year < FIRST_YEAR || year > LAST_YEAR || hour > 23 || minute > 59 || second > 59) return null;
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  if (month < 1 || month > 12 || new Date(time).getUTCDate() !== day) return null;
  return time * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

/** The year that two digits stand for, from 1970 to 2069. */
export function fullYear(short: number): number {
  return short < 70 ? 2000 + short : 1900 + short;
}

export interface DigitGuess {
  readonly form: DigitForm;
  /** Whether they may as well be dates of another form. */
  readonly ambiguous: boolean;
}

/** How texts of digits are dates; null where one of them is none. Of forms that read all, that whose dates go on more evenly. */
export function guessDigits(texts: readonly string[], order: FileSettings['date_order']): DigitGuess | null {
  const [first] = texts;
  if (first === undefined || !DIGITS.test(first)) return null;
  const forms = DIGIT_FORMS.filter((form) => texts.every((text) => readDigits(text, form) !== null));
  const [form, other] = order === 'year-first' ? forms.toReversed() : forms;
  if (form === undefined) return null;
  if (other === undefined || order !== undefined) return { form, ambiguous: false };
  const steps = kindsOfSteps(texts, form) - kindsOfSteps(texts, other);
  return { form: steps > 0 ? other : form, ambiguous: steps === 0 };
}

/**
 * Whether digits go on as a clock does, from 59 to 100, or as numbers do: of both readings the one with fewer kinds of
 * steps. Null where both have as many.
 */
export function goesLikeClock(texts: readonly string[], form: DigitForm): boolean | null {
  const dates = kindsOfSteps(texts, form);
  const numbers = stepsOf(texts.map(Number));
  return dates === numbers ? null : dates < numbers;
}

function kindsOfSteps(texts: readonly string[], form: DigitForm): number {
  return stepsOf(texts.map((text) => readDigits(text, form) ?? 0));
}

function stepsOf(times: readonly number[]): number {
  return new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0))).size;
}
