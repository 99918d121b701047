import type { Column, Delimiter, Doubt, FileSettings } from '#shared/operations/records.ts';
import { badRequest } from '../../errors.ts';
import { quote } from '#shared/validate.ts';
import { guessQuoting, isQuotedText, readWord } from './cell.ts';
import {
  guessStyles,
  listed,
  numberBy,
  type ColumnStyle,
  type StyleChoices,
  type StyleContext,
} from './column-style.ts';
import { readCsvSample, TOO_WIDE, type Cell, type CsvRow, type CsvShape } from '../text/csv.ts';
import { guessDelimiter, namedDelimiter, usualWidth } from './delimiter.ts';
import {
  alignNames,
  countsUp,
  hasHeader,
  isMeasurement,
  nameColumns,
  namesIn,
  requireColumns,
  tableBegins,
} from './header.ts';
import { describeLayout, doubtsOf } from './layout-notes.ts';
import { guessLineEnd } from '../text/line-ends.ts';
import type { Mark } from '../text/number-text.ts';
import { chooseTime, type TimeChoices, type TimeColumn } from '../time/time-column.ts';

/** How a CSV file is read. */
export interface CsvLayout {
  readonly shape: CsvShape & { readonly delimiter: Delimiter };
  /** Whether the first row is names, and how many rows of names and units there are before those of data. */
  readonly header: boolean;
  readonly headRows: number;
  readonly columns: readonly Column[];
  /** How the values of each are written, in the same order. */
  readonly styles: readonly ColumnStyle[];
  readonly context: StyleContext;
  /** Fields of a row of data. */
  readonly width: number;
  /** Whether the last column has neither a name nor, so far, a value: rows end with a delimiter. */
  readonly trailing: boolean;
  /** Whether the first column was taken for row numbers without being told so. */
  readonly countsRows: boolean;
  readonly time: TimeColumn | null;
  /** The sample's rows of data. */
  readonly rows: readonly CsvRow[];
  /** What was noticed and handled, for people to read. */
  readonly notes: readonly string[];
  /** What the first rows leave open. */
  readonly doubts: readonly Doubt[];
}

export type LayoutChoices = TimeChoices &
  StyleChoices &
  Pick<FileSettings, 'delimiter' | 'first_line' | 'header' | 'unnamed_column' | 'row_numbers' | 'units_row'>;

/** The beginning of a file that is no table; it seems to have one further down. */
export class Preamble extends Error {
  override readonly name = 'Preamble';
  readonly firstLine: number;

  constructor(firstLine: number) {
    super(
      `line 1: the file does not begin with a table; one seems to begin in line ${firstLine}. Set first_line to ${firstLine} to leave out what is before it, or to 1 to read it as rows.`,
    );
    this.firstLine = firstLine;
  }
}

/**
 * Reads a file's beginning (whole rows); what is not chosen is guessed. Throws a 400 Refusal on an impossible choice and
 * where names cannot be told to columns, and Preamble.
 */
export function guessLayout(sample: string, choices: LayoutChoices = {}): CsvLayout {
  const named = namedDelimiter(sample);
  const unshaped = { lineEnd: guessLineEnd(sample), firstLine: choices.first_line ?? (named ? 2 : 1) };
  const delimiter = choices.delimiter ?? named ?? guessDelimiter(sample, unshaped);
  const shape = { ...unshaped, delimiter };
  const { rows: all, fault } = readCsvSample(sample, shape);
  if (all.length === 0 && fault?.message === TOO_WIDE)
    throw badRequest(`line ${fault.line}: ${fault.message}.`);
  const begins = choices.first_line === undefined ? tableBegins(all, usualWidth(all)) : null;
  if (begins !== null) throw new Preamble(begins);

  const header = choices.header ? choices.header === 'yes' : hasHeader(all, usualWidth(all.slice(1)));
  const below = header ? all.slice(1) : all;
  const unitsRow = header && (choices.units_row ? choices.units_row === 'yes' : holdsUnits(below));
  const rows = unitsRow ? below.slice(1) : below;
  const units = unitsRow ? (below[0]?.cells ?? []) : [];
  const headerCells = header ? (all[0]?.cells ?? []) : null;
  const width = widthOf(headerCells, rows);
  requireColumns(width, all[0]?.line ?? shape.firstLine);
  const even = rows.filter((row) => row.cells.length === width);
  const offset = headerCells ? alignNames(headerCells, even, width, choices.unnamed_column) : 0;
  const { names, unnamed, notes } = nameColumns(headerCells, offset, width);

  const columnCells = names.map((_, index) =>
    even.map((row): Cell => row.cells[index] ?? { text: '', quoted: false }),
  );
  const quoting = guessQuoting(headerCells, columnCells.flat(), delimiter);
  const context: StyleContext = { quoting, delimiter, choices };
  requireNames(names, choices);
  const styles = guessStyles(names, columnCells, context);
  const time = chooseTime(names, columnCells, choices, usualMark(styles));
  const counts =
    time?.index !== 0 &&
    (unnamed[0] === true || ROW_NUMBER_NAME.test(names[0] ?? '')) &&
    countsUp((columnCells[0] ?? []).map(({ text }) => text));
  const rowNumber = choices.row_numbers ? choices.row_numbers === 'leave-out' && time?.index !== 0 : counts;

  const columns = names.map((name, index): Column => {
    const kind = kindOf(columnCells[index] ?? [], styles[index], context);
    if (index === time?.index || index === time?.clock) return { name, role: 'time', kind: 'time' };
    if (index === 0 && rowNumber) return { name, role: 'row-number', kind: 'number' };
    const unit = (units[index]?.text ?? '').trim().slice(0, MOST_UNIT);
    return { name, role: kind === null ? 'empty' : 'value', kind: kind ?? 'text', ...(unit && { unit }) };
  });
  return {
    shape,
    header,
    headRows: Number(header) + Number(unitsRow),
    columns,
    styles,
    context,
    width,
    trailing: header && unnamed.at(-1) === true && columns.at(-1)?.role === 'empty',
    countsRows: rowNumber && choices.row_numbers === undefined,
    time,
    rows: even,
    doubts: doubtsOf(columns, styles, time),
    notes: [
      ...(named && choices.first_line === undefined ? ['The first line says how fields are separated.'] : []),
      ...(unitsRow ? ['The row below the names holds units; it is no record.'] : []),
      ...notes,
      ...describeLayout({
        columns,
        columnCells,
        styles,
        context,
        time,
        unnamed,
        offset,
        header: headerCells,
      }),
    ],
  };
}

/** A unit of a key has at most so many characters (docs/api.md, "Key settings"). */
const MOST_UNIT = 16;

const isUnit = (cell: Cell) => !isMeasurement(cell) && cell.text.trim().length <= MOST_UNIT;

/** Whether a row below the names holds their units: nothing that was measured, above rows in which something was. */
function holdsUnits([first, ...others]: readonly CsvRow[]): boolean {
  if (first === undefined || others[0]?.cells.length !== first.cells.length) return false;
  return (
    first.cells.some(({ text }) => text !== '') &&
    first.cells.every(isUnit) &&
    first.cells.some((_, index) =>
      others.slice(0, 10).every(({ cells }) => cells[index] !== undefined && isMeasurement(cells[index])),
    )
  );
}

/** Names without a column are no reason to drop them: rows that are shorter than their names are at fault. */
function widthOf(header: readonly Cell[] | null, rows: readonly CsvRow[]): number {
  return Math.max(usualWidth(rows) || (header?.length ?? 0), header ? namesIn(header) : 0);
}

/** What stands before the fractions of all columns that have some; undefined where none has, or they differ. */
function usualMark(styles: readonly ColumnStyle[]): Mark | undefined {
  const marks = new Set(styles.flatMap(({ fractions, mark }) => (fractions && mark) || []));
  return marks.size === 1 ? [...marks][0] : undefined;
}

/** Throws a 400 Refusal where a setting names a column that the file does not have. */
function requireNames(names: readonly string[], choices: LayoutChoices): void {
  for (const setting of ['text_columns', 'number_columns'] as const) {
    const unknown = listed(choices[setting] ?? '', names).find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw badRequest(
        `${setting} must be some of ${names.map((name) => JSON.stringify(name)).join(', ')}, got ${quote(unknown)}`,
      );
  }
}

const ROW_NUMBER_NAME = /^(?:index|row|no\.?|nr\.?|#|unnamed: 0)$/i;

/** What the values of a column are; null where the sample has none. */
function kindOf(
  cells: readonly Cell[],
  style: ColumnStyle | undefined,
  context: StyleContext,
): Column['kind'] | null {
  const kinds = new Set<Column['kind']>();
  for (const cell of cells) {
    if (cell.text === '' && !cell.quoted) continue;
    const quoted = style?.verbatim || isQuotedText(cell, context.quoting, context.delimiter);
    if (!quoted && style && numberBy(cell.text, style, context) !== null) kinds.add('number');
    else {
      const word = quoted ? cell.text : readWord(cell.text);
      if (word !== undefined)
        kinds.add(typeof word === 'boolean' && style?.as !== 'text' ? 'boolean' : 'text');
    }
  }
  if (kinds.size === 1) return kinds.values().next().value ?? null;
  return kinds.size === 0 ? null : 'text';
}
