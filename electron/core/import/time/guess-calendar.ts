import type { Micros } from '#shared/values/time.ts';
import type { FormatGuess } from './format-guess.ts';
import { dateParts, ORDERS, readTime, type DateOrder } from './time-format.ts';

interface CalendarHints {
  readonly given?: DateOrder | undefined;
  /** What the name of the column says of it, which counts where dates do not say otherwise. */
  readonly named?: DateOrder | undefined;
  readonly now: Micros;
}

function calendar(order: DateOrder, ambiguous = false): FormatGuess {
  return { format: { kind: 'calendar', order }, ambiguous };
}

/** The order of the numbers of dates, by all of them; null where no text is a date of numbers. */
export function guessCalendar(texts: readonly string[], hints: CalendarHints): FormatGuess | null {
  const { given, named } = hints;
  const dates = texts.flatMap((text) => dateParts(text) ?? []);
  if (dates.length === 0) return null;
  if (dates.filter((date) => date.short).length * 2 > dates.length) return guessShort(texts, hints);
  if (dates.filter((date) => date.yearFirst).length * 2 >= dates.length) return calendar('year-first');
  if (given) return calendar(given);
  // Only one order makes a month of every number that is more than 12.
  const dayFirst = dates.filter((date) => date.first > 12).length;
  const monthFirst = dates.filter((date) => date.second > 12).length;
  if (dayFirst !== monthFirst) return calendar(dayFirst > monthFirst ? 'day-first' : 'month-first');
  if (named && named !== 'year-first') return calendar(named);
  const either = dayFirst === 0;
  // Dots are written where the day comes first, AM and PM where the month does.
  if (dates.every((date) => date.separator === '.')) return calendar('day-first', either);
  if (dates.some((date) => date.half)) return calendar('month-first', either);
  // Recordings are dense: days that follow each other make a shorter span than months that do.
  const [asDays, asMonths] = [span(texts, 'day-first'), span(texts, 'month-first')];
  return calendar(asMonths < asDays ? 'month-first' : 'day-first', either);
}

const YEAR_MICROS = 366 * 86_400e6;

/** Dates whose years have two digits: of the orders that read most of them, none in the future, the one of the shortest span. */
function guessShort(texts: readonly string[], { given, named, now }: CalendarHints): FormatGuess | null {
  const latest = now + YEAR_MICROS;
  const candidates = ORDERS.filter((order) => given === undefined || order === given).map((order) => {
    const format = { kind: 'calendar', order, short: true } as const;
    const times = texts.flatMap((text) => readTime(text, format)?.time ?? []);
    const past = times.filter((time) => time < latest).length;
    return { format, read: given ? times.length : past, span: spanOf(times) };
  });
  const most = Math.max(...candidates.map(({ read }) => read));
  const able = candidates.filter(({ read }) => read === most && read > 0);
  const dates = texts.flatMap((text) => dateParts(text) ?? []);
  const usual = dates.every(({ separator }) => separator === '.')
    ? 'day-first'
    : dates.some(({ half }) => half)
      ? 'month-first'
      : null;
  const said = able.find(({ format }) => format.order === named);
  if (said) return { format: said.format };
  const best =
    able.find(({ format }) => format.order === usual) ?? able.toSorted((a, b) => a.span - b.span)[0];
  return best ? { format: best.format, ambiguous: given === undefined && able.length > 1 } : null;
}

function span(texts: readonly string[], order: DateOrder): number {
  return spanOf(texts.flatMap((text) => readTime(text, { kind: 'calendar', order })?.time ?? []));
}

function spanOf(times: readonly number[]): number {
  return times.reduce((a, b) => Math.max(a, b), -Infinity) - times.reduce((a, b) => Math.min(a, b), Infinity);
}
