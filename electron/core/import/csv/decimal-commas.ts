import { quote } from '#shared/values/validate.ts';
import type { Cell, CsvRow } from '../text/csv.ts';
import { markOf } from '../text/number-text.ts';
import { namesIn, UnnamedColumn } from './header.ts';

/**
 * Throws UnnamedColumn where rows have more fields than names as decimal commas make them that stand between commas: one
 * more for a value that has decimals, and in all of these fields digits alone.
 */
export function requireNoDecimalCommas(
  header: readonly Cell[],
  rows: readonly CsvRow[],
  width: number,
): void {
  const names = namesIn(header);
  const more = width - names;
  const columns = Array.from({ length: width }, (_, index) =>
    rows.flatMap(({ cells }) => cells[index]?.text || []),
  );
  const [first] = rows;
  // The last field is empty where rows end with a delimiter.
  if (!first || header.length >= width || columns.at(-1)?.length === 0) return;
  const digits = columns.map((texts) => texts.every((text) => /^[+-]?\d+$/.test(text)));
  const decimals = columns.map((texts, index) => isDecimals(texts) && digits[index - 1] === true);
  const values = digits.filter(Boolean).length;
  const hasPoints = columns.some((texts) => texts.some((text) => markOf(text) === '.'));
  if (hasPoints || more > values - more || decimals.filter(Boolean).length < more) return;
  const at = decimals.indexOf(true);
  const example = `${first.cells[at - 1]?.text ?? ''},${first.cells[at]?.text ?? ''}`;
  throw new UnnamedColumn(
    first.line,
    width,
    names,
    `as if commas stood between fields and before decimals, such as ${quote(example)}. Save it with decimal points, or with another delimiter. Say so where it is the last columns that have no name [unnamed_column=last]`,
  );
}

function isDecimals(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.every((text) => /^\d+$/.test(text));
}
