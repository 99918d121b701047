import type { CsvRow } from '../text/csv.ts';
import { usualWidth } from './delimiter.ts';
import { isMeasurement, isNameOfTime, MOST_UNIT_ROWS, namesIn } from './header.ts';

/** Lines that are looked through for the names of a table. */
const MOST_PREAMBLE = 50;

/**
 * The line at which a table begins behind lines that do not belong to it, such as a title or the settings of a logger;
 * null where the file begins with its table.
 */
export function tableBegins(rows: readonly CsvRow[], width: number): number | null {
  const at = rows.slice(0, MOST_PREAMBLE).findIndex(({ cells }) => cells.length === width);
  const [first, found] = [rows[0], rows[at]];
  if (!first || !found || width < 2) return null;
  const padded = namesBelowTitles(rows.slice(at, at + MOST_PREAMBLE));
  if (padded) return padded.line;
  if (at === 0) return null;
  const above = rows[at - 1];
  if (above && at > 1 && namesFewer(above, found)) return above.line;
  // One name less than columns, or some: names above rows that have more.
  const shortNames = first.cells.length > 1 || width === 2;
  const below = rows.slice(at + 1, at + 2 + MOST_UNIT_ROWS);
  return shortNames && !namesAbove(found, below) ? null : found.line;
}

/** Whether a row is words above one of more fields, though of fewer than twice as many, in which something was measured. */
function namesFewer({ cells }: CsvRow, below: CsvRow): boolean {
  return (
    cells.length * 2 > below.cells.length && !cells.some(isMeasurement) && below.cells.some(isMeasurement)
  );
}

/** Whether a row is words above another of as many fields with measurements, with units between them at most. */
function namesAbove(row: CsvRow, below: readonly CsvRow[]): boolean {
  return !row.cells.some(isMeasurement) && below.some(({ cells }) => cells.some(isMeasurement));
}

/**
 * The names of a table below titles that a spreadsheet has filled up to its width with delimiters: "Logger 4711;;;;". They are
 * words above the first row of data, with units between them at most, and more of them than the first title has fields. Null
 * where the first row may be the names itself, some columns of which have none.
 */
function namesBelowTitles(rows: readonly CsvRow[]): CsvRow | null {
  const [title] = rows;
  const data = rows.findIndex((row) => !mayBeTitle(row));
  const width = usedWidth(rows.slice(data));
  if (!title || data < 2 || namesIn(title.cells) >= width) return null;
  const found = rows
    .slice(Math.max(1, data - 1 - MOST_UNIT_ROWS), data)
    .filter(
      ({ cells }) =>
        !cells.some(isMeasurement) &&
        namesIn(cells) > namesIn(title.cells) &&
        filledIn(cells).length * 2 > width,
    );
  const [names] = found.toSorted(
    (a, b) =>
      filledIn(b.cells).length - filledIn(a.cells).length || Number(namesTime(b)) - Number(namesTime(a)),
  );
  // A name for times alone above units, in place of a title.
  return !names || (namesTime(title) && !namesTime(names)) ? null : names;
}

/** How many columns rows of data mostly use: a sheet may be saved with empty ones behind them. */
function usedWidth(rows: readonly CsvRow[]): number {
  return usualWidth(rows.map((row) => ({ ...row, cells: row.cells.slice(0, namesIn(row.cells)) })));
}

/** Words alone, a field alone, or a word with its value, perhaps with a unit: as data this would be a time without a value at most. */
function mayBeTitle({ cells }: CsvRow): boolean {
  const filled = filledIn(cells);
  const [first] = filled;
  if (!first || filled.length < 2 || !filled.some(isMeasurement)) return true;
  const isPadded = filled.length < cells.length;
  return !isMeasurement(first) && filled.length <= (isPadded ? 3 : 2);
}

const filledIn = (cells: CsvRow['cells']) => cells.filter(({ text }) => text !== '');

const namesTime = ({ cells }: CsvRow) => cells.some(isNameOfTime);
