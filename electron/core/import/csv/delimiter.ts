import type { Delimiter } from '#shared/operations/records/records.ts';
import { readCsvSample, type Cell, type CsvRow, type CsvShape } from '../text/csv.ts';
import { isMeasurement } from './header.ts';

/** In order of trust where two split a file equally well: a comma may as well be a decimal comma. */
const BY_TRUST: readonly Delimiter[] = ['\t', ';', '|', ','];

/** Rows that a delimiter is judged by. */
const JUDGED_ROWS = 30;

export const DELIMITER_NAMES: Record<Delimiter, string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/** The delimiter that a spreadsheet's first line "sep=;" names. */
export function namedDelimiter(sample: string): Delimiter | null {
  const name = /^"?sep=(.)"?[\r\n]/i.exec(sample)?.[1];
  return BY_TRUST.find((delimiter) => delimiter === name) ?? null;
}

/** The delimiter that splits the first rows into the most fields, every row into as many. */
export function guessDelimiter(sample: string, shape: Omit<CsvShape, 'delimiter'>): Delimiter {
  let best: { readonly delimiter: Delimiter; readonly score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of BY_TRUST) {
    // Most files hold one or two of them; without it each row is one field.
    if (!sample.includes(delimiter)) continue;
    const score = evenness(readCsvSample(sample, { ...shape, delimiter }, JUDGED_ROWS));
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/**
 * Lines that split into the usual width weigh most, then a header of that width, then that nothing but numbers and times
 * are left, which a comma would cut as well where it stands before decimals, then the width.
 */
function evenness({ rows, faults }: { readonly rows: readonly CsvRow[]; readonly faults: number }): number {
  const width = usualWidth(rows);
  if (width < 2) return 0;
  const even = rows.filter((row) => row.cells.length === width && !row.cells.some(cutsQuotes)).length;
  const header = rows[0]?.cells.length === width ? 1 : 0;
  const measured = rows.every(({ cells }) => cells.every((cell) => cell.text === '' || isMeasurement(cell)));
  const share = Math.round((even / (rows.length + faults)) * 10);
  return share * 10_000 + header * 5000 + (measured ? 1000 : 0) + Math.min(width, 999);
}

/** A wrong delimiter stands inside quoted texts and leaves their quotes in two fields. */
function cutsQuotes({ text, quoted }: Cell): boolean {
  return !quoted && text.includes('"');
}

/** How many fields most rows have; of equally frequent widths the wider. */
export function usualWidth(rows: readonly CsvRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].reduce(
    (best, next) => (next[1] > best[1] || (next[1] === best[1] && next[0] > best[0]) ? next : best),
    [0, 0],
  )[0];
}
