import type { FileSettings } from '#shared/operations/records/records.ts';
import type { Micros } from '#shared/values/time.ts';
import { badRequest } from '../../base/errors.ts';
import { quote } from '#shared/values/validate.ts';
import type { Cell } from '../text/csv.ts';
import { guessTime, type TimeGuess, type TimeHints } from './guess-time.ts';
import type { Mark } from '../text/number-text.ts';
import { looksLikeClock, mayHoldTimes } from './other-times.ts';
import { isDateOnly, isTimeOfDay } from './time-format.ts';
import type { SaidZone } from './said-zone.ts';
import { inWords, isTimeName, zoneInName } from './time-name.ts';
import { whyUnread } from './unread-time.ts';

export interface TimeColumn extends TimeGuess {
  readonly index: number;
  /** The column that holds the time of day of a column of dates: a neighbour, or one that is called so. */
  readonly clock: number | null;
  /** The column that says AM or PM of times that do not; null for none. */
  readonly half: number | null;
  /** Whether only its numbers say that it holds times, not its name. */
  readonly guessed: boolean;
  /** Other columns that hold times as well, where none was chosen. */
  readonly others: readonly number[];
  /** The zone that the file says beside the times; null where it says none. */
  readonly said: SaidZone | null;
}

export interface ColumnNames {
  readonly names: readonly string[];
  /** Which of them the file does not say. */
  readonly unnamed: readonly boolean[];
}

export type TimeChoices = Pick<FileSettings, 'time_column' | 'date_order' | 'time_kind' | 'decimal_mark'> &
  Pick<TimeHints, 'now'>;

/**
 * The column of times: the chosen one, or the likeliest. `usualMark` stands before the fractions of other columns. Null where there is none, or no row to judge by. Throws a 400
 * Refusal on a choice that is no column, or holds no times.
 */
export function chooseTime(
  { names, unnamed }: ColumnNames,
  cells: readonly Cell[][],
  choices: TimeChoices,
  usualMark?: Mark,
): TimeColumn | null {
  const chosen = choices.time_column;
  if (chosen === '' || cells.every((column) => column.length === 0)) return null;
  const texts = cells.map((column) => column.map((cell) => cell.text.trim()));
  if (chosen === undefined) return likeliestTime({ names, unnamed }, texts, choices, usualMark);
  const index = names.indexOf(chosen);
  if (index === -1)
    throw badRequest(
      `time_column must be one of ${names.map((name) => JSON.stringify(name)).join(', ')}, or "" for none, got ${quote(chosen)}`,
    );
  const hints = {
    ...hintsOf(chosen, choices, usualMark),
    chosen: true,
    clocks: namedClocks(names, texts),
    half: halfOf(texts),
  };
  const time = timeAt(index, texts, hints);
  if (time) return time;
  const got = texts[index]?.find((text) => text !== '') ?? '';
  const why = whyUnread(got);
  throw badRequest(
    `The time column ${quote(chosen)} [time_column=…] holds no times: expected such as "2015-02-04 17:51:00", "04.02.2015 17:51" or seconds since 1970, got ${quote(got)}${why ? `. ${why}` : ''}`,
  );
}

function hintsOf(name: string, choices: TimeChoices, usualMark: Mark | undefined): TimeHints {
  const { date_order: order, time_kind: kind, decimal_mark: mark, now } = choices;
  return { now, name, order, kind, mark, usualMark };
}

function likeliestTime(
  { names, unnamed }: ColumnNames,
  texts: readonly string[][],
  choices: TimeChoices,
  usualMark: Mark | undefined,
): TimeColumn | null {
  // Once for all columns: to look for them at each column of dates would cost the square of their number.
  const beside = { clocks: namedClocks(names, texts), half: halfOf(texts) };
  const others = new Set<number>();
  const found: { readonly time: TimeColumn; readonly score: number }[] = [];
  for (const [index, name] of names.entries()) {
    // What the numbers of a column are was said of one column, which its name then shows.
    if (choices.time_kind && choices.time_kind !== 'date' && !isTimeName(name) && index > 0) continue;
    const time = timeAt(index, texts, { ...hintsOf(name, choices, usualMark), ...beside });
    const own = texts[index] ?? [];
    if (mayHoldTimes(time, own, name, unnamed[index] === true, choices.now)) others.add(index);
    if (!time) continue;
    const named = isTimeName(name);
    const guessed = !named && NUMBERS.has(time.format.kind);
    if (guessed && !holdsTimesUnnamed(index, own, time, choices.now)) continue;
    if (time.share < (named ? 0.5 : 0.9)) continue;
    const score =
      time.share + (named ? 1 : 0) + PREFERENCE[time.format.kind] + gainOfClock(time) + gainOfZone(name);
    found.push({ time: { ...time, guessed }, score });
  }
  const sorted = found.toSorted((a, b) => b.score - a.score).map(({ time }) => time);
  const isCertain = ({ index, format, zoneNeeded }: TimeColumn) =>
    format.kind !== 'elapsed' && (!zoneNeeded || zoneInName(names[index] ?? '') !== undefined);
  const [first] = sorted;
  const isLocal = first !== undefined && isLocalName(names[first.index] ?? '');
  const best = isLocal ? (sorted.find(isCertain) ?? first) : first;
  return best
    ? {
        ...best,
        others: [...others].filter((index) => ![best.index, best.clock, best.half].includes(index)),
      }
    : null;
}

/** Forms of times that look like numbers of anything. */
const NUMBERS: ReadonlySet<TimeGuess['format']['kind']> = new Set(['epoch', 'digits', 'days']);

/** Any large number could be one of these; only a name, or the first place and its rise, makes it one. */
function holdsTimesUnnamed(
  index: number,
  texts: readonly string[],
  { format }: TimeGuess,
  now: Micros,
): boolean {
  if (index === 0) return format.kind === 'days' || looksLikeClock(texts, format, now);
  // So many digits are nothing else.
  return format.kind === 'digits' && format.form === 'YYYYMMDDHHMMSS' && texts.length > 1;
}

/** Of a date and a date with its time of day, the second says more; a date that has its clock beside it says as much. */
function gainOfClock({ example, clock }: TimeColumn): number {
  return clock === null && isDateOnly(example) ? 0 : 0.3;
}

/** Of two columns of the same times, that of UTC leaves nothing open, and that of a place the most. */
function gainOfZone(name: string): number {
  if (zoneInName(name) !== undefined) return 0.1;
  return isLocalName(name) ? -0.1 : 0;
}

const isLocalName = (name: string) => LOCAL.test(inWords(name));

const LOCAL = /\b(?:local|lokal|ortszeit|locale?|lst)\b/i;

const PREFERENCE = { calendar: 0.5, digits: 0.4, epoch: 0, days: 0, elapsed: -0.75 };

function timeAt(
  index: number,
  texts: readonly string[][],
  hints: TimeHints & { readonly clocks: readonly number[]; readonly half: number | null },
): TimeColumn | null {
  const own = texts[index] ?? [];
  const clock = mostly(own, isDateOnly) ? clockOf(index, texts, hints.clocks) : null;
  const at = { index, clock, half: hints.half };
  const rest = { guessed: false, others: [], said: null };
  if (at.half !== null && at.half !== index) {
    // Rows without AM or PM are judged when they are read.
    const told = joinedTexts(at, texts).filter((text) => !text.endsWith(' '));
    const halves = guessTime(told, hints);
    if (halves?.format.kind === 'calendar' && halves.share >= LEAST_HALVES)
      return { ...halves, ...at, ...rest };
  }
  const whole = { ...at, half: null };
  const guess = guessTime(joinedTexts(whole, texts), hints);
  return guess && { ...guess, ...whole, ...rest };
}

/** Clocks of 24 hours are not read by AM and PM beside them, which fit with few of their times in the afternoon. */
const LEAST_HALVES = 0.9;

type Place = Pick<TimeColumn, 'index' | 'clock' | 'half'>;

const joinedTexts = (place: Place, texts: readonly string[][]) =>
  (texts[place.index] ?? []).map((_, row) => timeText(place, (column) => texts[column]?.[row] ?? ''));

/** The time of a row as one text, from the columns that hold its parts. */
export function timeText({ index, clock, half }: Place, textAt: (column: number) => string): string {
  const own = textAt(index);
  const time = clock === null ? own : joinTime(own, textAt(clock));
  return half === null || time === '' ? time : `${time} ${textAt(half)}`;
}

const HALF = /^[ap]\.? ?m\.?$/i;

/** The one column whose texts are all AM or PM. */
function halfOf(texts: readonly string[][]): number | null {
  const found = [...texts.keys()].filter((column) => {
    const said = (texts[column] ?? []).filter((text) => text !== '');
    return said.length > 0 && said.every((text) => HALF.test(text));
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** A time of day further away may be that of a sunrise, unless its name says otherwise and no other does. */
function clockOf(index: number, texts: readonly string[][], named: readonly number[]): number | null {
  const beside = [index + 1, index - 1].find((column) => mostly(texts[column] ?? [], isTimeOfDay));
  if (beside !== undefined) return beside;
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** Columns of times of day that are called so. */
function namedClocks(names: readonly string[], texts: readonly string[][]): number[] {
  return [...texts.keys()].filter(
    (column) => isTimeName(names[column] ?? '') && mostly(texts[column] ?? [], isTimeOfDay),
  );
}

/** Whether a rule holds for at least half of the texts that are not empty. */
function mostly(texts: readonly string[], rule: (text: string) => boolean): boolean {
  const written = texts.filter((text) => text !== '');
  return written.length > 0 && written.filter(rule).length * 2 >= written.length;
}

/** A date and a time of day as one text, which is no time when one of them is missing. */
function joinTime(date: string, timeOfDay: string): string {
  if (date === '' && timeOfDay === '') return '';
  return `${date.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')} ${timeOfDay}`;
}
