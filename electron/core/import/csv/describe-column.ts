import type { Column } from '#shared/operations/records/records.ts';
import { isTextInQuotes, numberBy, type ColumnStyle, type StyleContext } from './column-style.ts';
import type { Cell } from '../text/csv.ts';
import type { CsvLayout } from './csv-layout.ts';
import { KNOWN, wordsOf } from './missing-words.ts';

/** Texts of a column that are shown. */
const MOST_TEXTS = 5;

/** A column as an inspection tells of it: its unit, its words for no value, and texts among its numbers. */
export function describeColumn(column: Column, index: number, layout: CsvLayout): Column {
  if (column.role !== 'value') return column;
  const { context } = layout;
  const style = layout.styles[index];
  const cells = layout.rows.flatMap(({ cells: all }) => all[index] ?? []);
  const missing = new Set<string>();
  const odd: string[] = [];
  let numbers = 0;
  for (const cell of cells) {
    if (cell.text === '' || !style) continue;
    const what = whatIs(cell, style, context);
    if (what === 'missing') missing.add(cell.text);
    else if (what === 'number') numbers++;
    else odd.push(cell.text);
  }
  const isOdd = odd.length > 0 && numbers >= odd.length;
  return {
    ...column,
    ...(missing.size > 0 && { missing: [...missing].slice(0, MOST_TEXTS) }),
    ...(isOdd && { odd: { count: odd.length, texts: [...new Set(odd)].slice(0, MOST_TEXTS) } }),
  };
}

/** What a field that is not empty is read as, but for truths, which are no numbers either. */
export function whatIs(cell: Cell, style: ColumnStyle, context: StyleContext): 'missing' | 'number' | 'text' {
  const { quoting, missing } = context;
  const isQuoted = isTextInQuotes(cell, style, context);
  const beside = style.numeric !== 'no' && style.as !== 'text';
  const mayMiss = !style.verbatim && (!isQuoted || (beside && style.numeric === 'yes' && quoting !== 'own'));
  if (mayMiss && missing.has(cell.text, beside) !== false) return 'missing';
  return !isQuoted && numberBy(cell.text, style, context) !== null ? 'number' : 'text';
}

/** The words for no value that were chosen, and those of the known ones that the first rows hold, unless these do not count. */
export function missingIn(layout: CsvLayout, setting: string = KNOWN): string[] {
  const listed = wordsOf(setting);
  const chosen = listed.filter((word) => word.toLowerCase() !== KNOWN);
  if (chosen.length === listed.length) return chosen;
  const found = layout.columns.flatMap(
    (column, index) => describeColumn(column, index, layout).missing ?? [],
  );
  return [...new Set([...found.filter((word) => !chosen.includes(word)), ...chosen])];
}
