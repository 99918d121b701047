import type { Micros } from '#shared/values/time.ts';
import { readEither } from '../text/number-text.ts';
import { areFineDays, looksLikeDays } from './days.ts';
import type { TimeGuess } from './guess-time.ts';
import type { OtherEpochs } from './other-epochs.ts';
import { readTime } from './time-format.ts';
import { elapsedUnit, isTimeName, namesUnit } from './time-name.ts';

/* What may hold times beside the column that is taken for them. */

/** Whether a column that is not taken for times may well hold some, so that people are told; `time`: how they would be read. */
export function mayHoldTimes(
  time: TimeGuess | null,
  texts: readonly string[],
  name: string,
  unnamed: boolean,
  now: Micros,
): boolean {
  if (areTimesByForm(texts) || mayCountTime(texts, name, unnamed)) return true;
  if (!time) return false;
  const { format } = time;
  // A clock that was set wrong for a while writes days of two digits that cannot be read.
  if (time.share < (format.kind === 'calendar' ? 0.5 : 0.9)) return false;
  // Of elapsed times its name says so, or it would not be one.
  if (format.kind === 'calendar' || format.kind === 'elapsed') return true;
  if (unnamed && time.epochs && mayCountFromElsewhere(texts, time.epochs)) return true;
  return isTimeName(name) || (format.kind !== 'days' && areMostlyRecent(texts, format, now));
}

/** Whether each number is above the one before, but for one step: a clock may have been set. */
function mostlyRises(numbers: readonly number[]): boolean {
  const others = numbers.slice(1).filter((number, row) => number <= (numbers[row] ?? 0)).length;
  return others === 0 ? numbers.length > 1 : others === 1 && numbers.length > 3;
}

/** Whether numbers may be times though little shows it: counted from a start, or days of a spreadsheet. */
function mayCountTime(texts: readonly string[], name: string, unnamed: boolean): boolean {
  const numbers = texts.filter((text) => text !== '').map((text) => readEither(text, '.'));
  if (numbers.length === 0 || !numbers.every((number) => number !== null)) return false;
  if (namesUnit(name)) return true;
  // One row does not show that they rise.
  const mayRise = numbers.length === 1 || mostlyRises(numbers);
  const isElapsed = numbers[0] === 0 && (unnamed || elapsedUnit(name) !== null);
  return (
    mayRise &&
    (isElapsed || ((unnamed || isTimeName(name)) && numbers.every((number) => looksLikeDays([number]))))
  );
}

/** Whether numbers rise as those of a clock do that counts from another day than 1970. */
function mayCountFromElsewhere(texts: readonly string[], { since, steps }: OtherEpochs): boolean {
  const numbers = texts.flatMap((text) => (text === '' ? [] : Number(text)));
  return (since.length > 0 || steps !== null) && (numbers.length === 1 || mostlyRises(numbers));
}

/** Whether numbers are written as times are and little else is, whatever their column is called, and in one row alone. */
function areTimesByForm(texts: readonly string[]): boolean {
  const written = texts.filter((text) => text !== '');
  return areFineDays(written) || (written.length > 0 && written.every(isRecentDay));
}

/** A day of this century in eight digits. */
function isRecentDay(text: string): boolean {
  return /^20\d{6}$/.test(text) && readTime(text, { kind: 'calendar', order: 'year-first' }) !== null;
}

/** Earlier and later numbers are ids and telephone numbers as often as times. */
const CLOCK_FROM_MS = Date.UTC(2000, 0);
const YEAR_MS = 366 * 86_400_000;

/** Whether numbers without a name that says so go from one plausible time to the next, as those of a clock do. */
export function looksLikeClock(texts: readonly string[], format: TimeGuess['format'], now: Micros): boolean {
  const times = timesOf(texts, format);
  return (
    times.length > 1 &&
    times.every((time) => isRecent(time, now)) &&
    times.every((time, row) => row === 0 || time > (times[row - 1] ?? 0))
  );
}

function isRecent(time: Micros, now: Micros): boolean {
  return time >= CLOCK_FROM_MS * 1000 && time < now + YEAR_MS * 1000;
}

/** A clock may have been set wrong for some rows. */
function areMostlyRecent(texts: readonly string[], format: TimeGuess['format'], now: Micros): boolean {
  const times = timesOf(texts, format);
  return times.filter((time) => isRecent(time, now)).length * 2 >= times.length;
}

function timesOf(texts: readonly string[], format: TimeGuess['format']): number[] {
  return texts.filter((text) => text !== '').map((text) => readTime(text, format)?.time ?? 0);
}
