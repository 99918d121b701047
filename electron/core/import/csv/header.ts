import { formatCount } from '#shared/values/counts.ts';
import { badRequest } from '../../base/errors.ts';
import { SettingNeeded } from '../setting-needed.ts';
import { MAX_KEY_LENGTH } from '../../ingest/record.ts';
import { quote } from '#shared/values/validate.ts';
import { missingWords } from './missing-words.ts';
import type { Cell, CsvRow } from '../text/csv.ts';
import { isNumber } from '../text/number-text.ts';
import { isDate, isTimeOfDay } from '../time/time-format.ts';
import { isTimeName } from '../time/time-name.ts';

/** A device holds that many keys (docs/running.md, "Limits"); beside them there may be times, a time of day and row numbers. */
const MOST_KEYS = 4096;
const MAX_COLUMNS = MOST_KEYS + 3;

export interface ColumnNames {
  readonly names: readonly string[];
  /** Which of them the file does not name. */
  readonly unnamed: readonly boolean[];
  readonly notes: readonly string[];
}

/**
 * Whether the first row names the columns. It does where it has a word above a number or a time; it does not where it
 * has a number or time of its own and no such word, or a time above another and no name for it: the word then is what
 * stands for a missing value.
 */
export function hasHeader(rows: readonly CsvRow[], width: number): boolean {
  const [first, second] = rows;
  if (!first) return false;
  const below = second?.cells ?? [];
  const namesTime = first.cells.some(isNameOfTime);
  const holdsTime = first.cells.some(({ text }, index) => isTime(text) && isTime(below[index]?.text ?? ''));
  if (holdsTime && !namesTime) return false;
  const offset = namesIn(first.cells) < width ? [0, 1] : [0];
  const namesMeasurements = first.cells.some((cell, index) =>
    offset.some((by) => {
      const measured = below[index + by];
      return isWord(cell) && measured !== undefined && isMeasurement(measured);
    }),
  );
  return namesMeasurements || !first.cells.some(isMeasurement);
}

/** Whether a row that was taken for names may as well be data: it holds a number or a time, and no name for times. */
export function mayBeData({ cells }: CsvRow): boolean {
  return cells.some(isMeasurement) && !cells.some(isNameOfTime);
}

const KNOWN = missingWords(undefined);

/** Whether a field is a word that times are called by. */
export function isNameOfTime(cell: Cell): boolean {
  return isWord(cell) && isTimeName(cell.text);
}

/** Whether a text may name a column. "inf" and "NaN" stand for values that are missing. */
function isWord(cell: Cell): boolean {
  return /\p{L}/u.test(cell.text) && KNOWN.has(cell.text, true) === false && !isMeasurement(cell);
}

/** Whether a field holds a number or a time. Loggers that print with a width pad them inside their quotes. */
export function isMeasurement({ text }: Cell): boolean {
  return isNumber(text.trim()) || isTime(text);
}

function isTime(text: string): boolean {
  const written = text.trim();
  return isDate(written) || isTimeOfDay(written);
}

/** How many fields of a header there are up to its last name. */
export function namesIn(header: readonly Cell[]): number {
  return header.findLastIndex(({ text }) => text !== '') + 1;
}

/** The 400 where rows have more fields than there are names, and nothing says which columns have none. */
export class UnnamedColumn extends SettingNeeded {
  constructor(line: number, fields: number, names: number, what: string) {
    super(
      'unnamed_column',
      `line ${line}: rows have ${fields} fields and ${names} names stand above them, ${what}.`,
    );
  }
}

/**
 * Which column the names of a file begin at, where rows have more fields than there are names. R and others write row
 * numbers or names of rows, or data frames their times, without naming that column: then 1. Loggers end each row with a
 * delimiter: then 0. Throws UnnamedColumn where nothing says which.
 */
export function alignNames(
  header: readonly Cell[],
  rows: readonly CsvRow[],
  width: number,
  chosen?: 'first' | 'last',
): 0 | 1 {
  const names = namesIn(header);
  if (width <= names) return 0;
  if (chosen) return chosen === 'first' ? 1 : 0;
  const column = (index: number) => rows.map(({ cells }) => cells[index]?.text ?? '');
  const holdsDates = (index: number) => mostlyDates(column(index));

  const time = header.findIndex(
    ({ text }, index) => isTimeName(text) && (holdsDates(index) || holdsDates(index + 1)),
  );
  if (time !== -1) return holdsDates(time) ? 0 : 1;
  const used = Math.max(0, ...rows.map(({ cells }) => cells.findLastIndex(({ text }) => text !== '') + 1));
  if (used !== names + 1 || header.length >= width) return 0;
  const firsts = column(0);
  const namesOfRows = firsts.every((text) => text !== '' && !isNumber(text));
  if (mostlyDates(firsts) || countsUp(firsts) || namesOfRows) return 1;
  throw new UnnamedColumn(
    rows[0]?.line ?? 0,
    used,
    names,
    'so which column has no name cannot be told. Say whether it is the first or the last [unnamed_column=first or unnamed_column=last]',
  );
}

function mostlyDates(texts: readonly string[]): boolean {
  const written = texts.filter((text) => text !== '');
  return written.length > 0 && written.filter(isDate).length * 2 > written.length;
}

/** Whether texts are whole numbers of which each is one more than the one before. One alone counts nothing. */
export function countsUp(texts: readonly string[]): boolean {
  return (
    texts.length > 1 &&
    texts.every(
      (text, row) => /^\d{1,15}$/.test(text) && (row === 0 || Number(text) === Number(texts[row - 1]) + 1),
    )
  );
}

/** Throws a 400 Refusal on a table wider than what a device may hold, before all its columns are looked at. */
export function requireColumns(width: number, line: number): void {
  if (width <= MAX_COLUMNS) return;
  throw badRequest(
    `line ${line}: a table has at most ${formatCount(MAX_COLUMNS)} columns, since a device holds at most ${formatCount(MOST_KEYS)} keys; got ${formatCount(width)}.`,
  );
}

/** Names for `width` columns that can be data keys: not empty, no ",", at most 128 characters, each once. */
export function nameColumns(header: readonly Cell[] | null, offset: 0 | 1, width: number): ColumnNames {
  const notes: string[] = [];
  if (!header)
    notes.push('The first row is data already, so the columns are named "column 1", "column 2" and so on.');
  const unnamed: boolean[] = [];
  const free = createNames();
  const names = Array.from({ length: width }, (_, index) => {
    const written = header?.[index - offset]?.text ?? '';
    unnamed.push(written === '');
    const allowed = (written.includes(',') ? written.replaceAll(',', ' ').trim() : written).slice(
      0,
      MAX_KEY_LENGTH,
    );
    const name = free(allowed || `column ${index + 1}`);
    if (written !== '' && name !== written)
      notes.push(`The column ${quote(written)} is called ${quote(name)} here: ${whyRenamed(written)}.`);
    return name;
  });
  return { names, unnamed, notes };
}

/**
 * Gives each name once: the next ones get a number. Which one was given last is kept by what no number cuts off, so that a
 * header of thousands of equal names is not counted from 2 for each of them.
 */
function createNames(): (name: string) => string {
  const taken = new Set<string>();
  const copies = new Map<string, number>();
  return (wanted) => {
    const kept = wanted.slice(0, MAX_KEY_LENGTH - ` ${MAX_COLUMNS}`.length);
    let name = wanted;
    while (taken.has(name)) {
      const copy = (copies.get(kept) ?? 1) + 1;
      copies.set(kept, copy);
      const suffix = ` ${copy}`;
      name = wanted.slice(0, MAX_KEY_LENGTH - suffix.length) + suffix;
    }
    taken.add(name);
    return name;
  };
}

function whyRenamed(written: string): string {
  if (written.includes(',')) return 'a key must not contain ","';
  if (written.length > MAX_KEY_LENGTH) return `a key has at most ${MAX_KEY_LENGTH} characters`;
  return 'names must differ';
}

/** Units, and what was done with the values, stand in no more rows than these. */
export const MOST_UNIT_ROWS = 3;
