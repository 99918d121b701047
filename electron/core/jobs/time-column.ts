import { badRequest } from '#core/errors.ts';
import { quote } from '#shared/validate.ts';
import type { Cell } from './csv.ts';
import { guessTime, type TimeGuess } from './guess-time.ts';
import { isDateOnly, isTimeOfDay } from './time-format.ts';

export interface TimeColumn extends TimeGuess {
  readonly index: number;
  /** A neighbour that holds the time of day of a column of dates. */
  readonly clock: number | null;
}

export interface TimeChoices {
  /** Name of the time column; "" for none. */
  readonly time_column?: string | undefined;
  readonly date_order?: 'day-first' | 'month-first' | undefined;
}

/**
 * The column of times: the chosen one, or the likeliest. Null where there is none, or no row to judge by. Throws a 400
 * Refusal on a choice that is no column, or holds no times.
 */
export function chooseTime(
  names: readonly string[],
  cells: readonly Cell[][],
  choices: TimeChoices,
): TimeColumn | null {
  const chosen = choices.time_column;
  if (chosen === '' || cells.every((column) => column.length === 0)) return null;
  const texts = cells.map((column) => column.map((cell) => cell.text));
  if (chosen === undefined) return likeliestTime(names, texts, choices);
  const index = names.indexOf(chosen);
  if (index === -1)
    throw badRequest(
      `time_column must be one of ${names.map((name) => JSON.stringify(name)).join(', ')}, or "" for none, got ${quote(chosen)}`,
    );
  const time = timeAt(index, texts, choices);
  if (time) return time;
  throw badRequest(
    `time_column ${quote(chosen)} holds no times: expected such as "2015-02-04 17:51:00", "04.02.2015 17:51" or seconds since 1970, got ${quote(texts[index]?.find((text) => text !== '') ?? '')}`,
  );
}

const TIME_NAME =
  /^(?:.*[^a-z])?(?:time ?stamp|date|time|datum|zeit|uhrzeit|datetime|epoch|when|created(?: at)?|utc|fecha|heure)(?:[^a-z].*)?$/i;

function likeliestTime(
  names: readonly string[],
  texts: readonly string[][],
  choices: TimeChoices,
): TimeColumn | null {
  let best: { readonly time: TimeColumn; readonly score: number } | null = null;
  for (const [index, name] of names.entries()) {
    const time = timeAt(index, texts, choices);
    if (!time) continue;
    const named = TIME_NAME.test(name.replaceAll('_', ' '));
    // Any large whole number could be an epoch; only a name, or the first place, makes it one.
    if (time.format.kind === 'epoch' && !named && index > 0) continue;
    if (time.share < (named ? 0.5 : 0.9)) continue;
    const score = time.share + (named ? 1 : 0) + (time.format.kind === 'calendar' ? 0.5 : 0);
    if (!best || score > best.score) best = { time, score };
  }
  return best?.time ?? null;
}

function timeAt(index: number, texts: readonly string[][], choices: TimeChoices): TimeColumn | null {
  const own = texts[index] ?? [];
  const clock = mostly(own, isDateOnly) ? clockBeside(index, texts) : null;
  const joined = clock === null ? own : own.map((date, row) => joinTime(date, texts[clock]?.[row] ?? ''));
  const guess = guessTime(joined, choices.date_order);
  return guess && { ...guess, index, clock };
}

function clockBeside(index: number, texts: readonly string[][]): number | null {
  return [index + 1, index - 1].find((beside) => mostly(texts[beside] ?? [], isTimeOfDay)) ?? null;
}

/** Whether a rule holds for at least half of the texts that are not empty. */
function mostly(texts: readonly string[], rule: (text: string) => boolean): boolean {
  const written = texts.filter((text) => text !== '');
  return written.length > 0 && written.filter(rule).length * 2 >= written.length;
}

/** A date and a time of day as one text, which is no time when one of them is missing. */
export function joinTime(date: string, timeOfDay: string): string {
  return date === '' && timeOfDay === '' ? '' : `${date} ${timeOfDay}`;
}
