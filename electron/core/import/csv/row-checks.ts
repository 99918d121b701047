import { badRequest, type Refusal } from '../../base/errors.ts';
import { RecordFault } from '../../ingest/record.ts';
import { quote } from '#shared/values/validate.ts';
import { isSameRow, type Cell, type CsvRow } from '../text/csv.ts';
import { isTimeName } from '../time/time-name.ts';
import { readTime } from '../time/time-format.ts';
import type { Mark } from '../text/number-text.ts';
import type { ColumnStyle } from './column-style.ts';
import type { CsvLayout } from './csv-layout.ts';
import { isMeasurement } from './header.ts';

/* What a row shows of the rows around it. */

/**
 * The 400 where a row that cannot be read names columns anew, in another order or others of them: rows behind it would be
 * read under wrong names. Null for other rows.
 */
export function namesAnew(row: CsvRow, { head, width, time }: CsvLayout): Refusal | null {
  const [names] = head;
  if (!names || row.cells.length !== width || isSameRow(names, row) || row.cells.some(isMeasurement))
    return null;
  const known = new Set(names.cells.map(({ text }) => text));
  const again = row.cells.filter(({ text }) => text !== '' && known.has(text));
  const namesTime = time !== null && isTimeName(row.cells[time.index]?.text ?? '');
  const isWhole = row.cells.every(({ text }) => text !== '');
  if (!(namesTime && isWhole) && (again.length < 2 || again.length * 2 < width)) return null;
  return badRequest(
    `line ${row.line}: columns are named anew, otherwise than in line ${names.line}: ${row.cells
      .slice(0, MOST_NAMES)
      .map(({ text }) => quote(text))
      .join(', ')}. Import the rows from there on as a file of their own. Nothing was imported.`,
  );
}

const MOST_NAMES = 5;

/** Throws RecordFault where a text in quotes goes on over lines that are rows: the quote that should end it is missing. */
export function checkSwallowed({ cells }: CsvRow, layout: CsvLayout): void {
  const { lineEnd } = layout.shape;
  // What this program wrote ends its quotes.
  if (layout.context.quoting === 'own') return;
  const swallowed = cells.find(
    ({ text, quoted }) => quoted && text.includes(lineEnd) && holdsRows(text, layout),
  );
  if (swallowed)
    throw new RecordFault(
      `the text that begins with ${quote(swallowed.text.slice(0, 40))} goes on over lines that seem to be rows: a " is probably missing at its end`,
    );
}

function holdsRows(text: string, { shape, time, width }: CsvLayout): boolean {
  if (!time) return false;
  const { format, index } = time;
  return text
    .split(shape.lineEnd)
    .slice(1)
    .some((line) => {
      const fields = line.split(shape.delimiter);
      const written = fields[index]?.trim().replace(/^"(.*)"$/, '$1') ?? '';
      // A number alone may stand in any text.
      const isRow = fields.length === width || (fields.length > 1 && format.kind === 'calendar');
      return isRow && readTime(written, format) !== null;
    });
}

/** That a file may be cut inside its last value, which no line break follows; null where nothing shows it. */
export function cutNote({ cells, line }: CsvRow, { rows, columns, styles }: CsvLayout): string | null {
  const at = cells.length - 1;
  const last = cells[at];
  const others = rows.filter((row) => row.line !== line).flatMap((row) => row.cells[at] ?? []);
  if (!last || last.quoted || others.length < 2 || !isCut(last, others, styles[at])) return null;
  return `The file ends without a line break, and its last value, ${quote(last.text)} in ${quote(columns[at]?.name)}, has fewer characters than the others there: it may be cut.`;
}

/** Numbers with as many decimals each are cut where one has fewer; other texts where one is shorter than all. */
function isCut({ text }: Cell, others: readonly Cell[], style: ColumnStyle | undefined): boolean {
  const mark = style?.fractions ? style.mark : null;
  if (mark !== null) {
    const [usual = 0, ...more] = new Set(others.map((other) => decimalsOf(other.text, mark)));
    if (more.length === 0 && usual > 0) return decimalsOf(text, mark) < usual;
  }
  return others.every((other) => text.length < other.text.length);
}

function decimalsOf(text: string, mark: Mark): number {
  const at = text.lastIndexOf(mark);
  return at === -1 ? 0 : text.length - at - 1;
}
