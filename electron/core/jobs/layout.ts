import { readCell, readNumber, type CellRules } from './cell.ts';
import { readCsvSample, type Cell, type CsvRow } from './csv.ts';
import { guessDelimiter, usualWidth, type Delimiter } from './delimiter.ts';
import { guessTime } from './guess-time.ts';
import { hasHeader, nameColumns, namesOffset } from './header.ts';
import { chooseTime, type TimeChoices, type TimeColumn } from './time-column.ts';

export type ColumnRole = 'time' | 'row-number' | 'value' | 'empty';
export type ColumnKind = 'number' | 'text' | 'boolean' | 'time';

export interface Column {
  readonly name: string;
  readonly role: ColumnRole;
  readonly kind: ColumnKind;
}

/** How a CSV file is read. */
export interface CsvLayout {
  readonly delimiter: Delimiter;
  /** Whether the first row is names. */
  readonly header: boolean;
  readonly columns: readonly Column[];
  /** Fields of a row of data. */
  readonly width: number;
  readonly time: TimeColumn | null;
  readonly rules: CellRules;
  /** The sample's rows of data. */
  readonly rows: readonly CsvRow[];
  /** What was noticed and handled, for people to read. */
  readonly notes: readonly string[];
}

export interface LayoutChoices extends TimeChoices {
  readonly delimiter?: Delimiter | undefined;
}

/** Reads a file's beginning (whole lines); what is not chosen is guessed. Throws a 400 Refusal on an impossible choice. */
export function guessLayout(sample: string, choices: LayoutChoices = {}): CsvLayout {
  const delimiter = choices.delimiter ?? guessDelimiter(sample);
  const { rows: all } = readCsvSample(sample, delimiter);
  const header = hasHeader(all, usualWidth(all.slice(1)));
  const rows = header ? all.slice(1) : all;
  const width = usualWidth(rows) || (all[0]?.cells.length ?? 0);
  const headerCells = header ? (all[0]?.cells ?? []) : null;
  const offset = headerCells ? namesOffset(headerCells, width) : 0;
  const { names, unnamed, notes } = nameColumns(headerCells, offset, width);

  const even = rows.filter((row) => row.cells.length === width);
  const cellsOf = (index: number): Cell[] =>
    even.map((row) => row.cells[index] ?? { text: '', quoted: false });
  const columnCells = names.map((_, index) => cellsOf(index));
  const rules = guessRules(columnCells, delimiter);
  const time = chooseTime(names, columnCells, choices);
  const rowNumber = isRowNumber(names[0] ?? '', unnamed[0] ?? false, columnCells[0] ?? [], time) ? 0 : -1;

  const columns = names.map((name, index): Column => {
    const kind = kindOf(columnCells[index] ?? [], rules);
    if (index === time?.index || index === time?.clock) return { name, role: 'time', kind: 'time' };
    if (index === rowNumber) return { name, role: 'row-number', kind: 'number' };
    return { name, role: kind === null ? 'empty' : 'value', kind: kind ?? 'text' };
  });
  return {
    delimiter,
    header,
    columns,
    width,
    time,
    rules,
    rows: even,
    notes: [...notes, ...describe({ columns, columnCells, time, rules, offset, rowNumber })],
  };
}

function guessRules(columns: readonly Cell[][], delimiter: Delimiter): CellRules {
  const cells = columns.flat();
  const decimalComma =
    delimiter !== ',' &&
    cells.some((cell) => /^[+-]?\d*,\d+$/.test(cell.text)) &&
    !cells.some((cell) => /^[+-]?\d*\.\d+$/.test(cell.text));
  // A writer that leaves numbers or times bare puts quotes around texts on purpose; one that quotes everything does not.
  const bare = cells.some(
    ({ text, quoted }) =>
      !quoted && /\d/.test(text) && (readNumber(text, decimalComma) !== null || guessTime([text]) !== null),
  );
  return { decimalComma, quotesMeanText: bare };
}

const ROW_NUMBER_NAME = /^(?:index|row|no\.?|nr\.?|#|unnamed: 0)$/i;

/** A first column without a name, or called "index", of whole numbers that count up by one. */
function isRowNumber(
  name: string,
  unnamed: boolean,
  cells: readonly Cell[],
  time: TimeColumn | null,
): boolean {
  if (time?.index === 0 || cells.length === 0 || !(unnamed || ROW_NUMBER_NAME.test(name))) return false;
  return cells.every(
    ({ text }, row) => /^\d+$/.test(text) && (row === 0 || Number(text) === Number(cells[row - 1]?.text) + 1),
  );
}

/** What the values of a column are; null where the sample has none. */
function kindOf(cells: readonly Cell[], rules: CellRules): ColumnKind | null {
  const kinds = new Set<ColumnKind>();
  for (const cell of cells) {
    if (!(cell.quoted && rules.quotesMeanText) && readNumber(cell.text, rules.decimalComma) !== null)
      kinds.add('number');
    else {
      const value = readCell(cell, rules);
      if (value !== undefined) kinds.add(typeof value === 'boolean' ? 'boolean' : 'text');
    }
  }
  if (kinds.size === 1) return kinds.values().next().value ?? null;
  return kinds.size === 0 ? null : 'text';
}

function isQuotedNumber({ text, quoted }: Cell): boolean {
  return quoted && readNumber(text, true) !== null;
}

function describe(found: {
  readonly columns: readonly Column[];
  readonly columnCells: readonly Cell[][];
  readonly time: TimeColumn | null;
  readonly rules: CellRules;
  readonly offset: 0 | 1;
  readonly rowNumber: number;
}): string[] {
  const { columns, columnCells, time, rules, offset, rowNumber } = found;
  const notes: string[] = [];
  if (offset === 1)
    notes.push(
      rowNumber === 0
        ? 'Rows have one field more than the header: the first is a row number and is left out.'
        : 'Rows have one field more than the header: the first has no name.',
    );
  else if (rowNumber === 0) notes.push('The first column only counts the rows and is left out.');
  if (rules.decimalComma) notes.push('Numbers are written with a decimal comma.');
  const quotedNumbers = columns.filter(
    ({ role }, index) => role === 'value' && rules.quotesMeanText && columnCells[index]?.some(isQuotedNumber),
  );
  if (quotedNumbers.length > 0)
    notes.push(
      `Numbers in quotes are read as text, since other values stand without: ${quotedNumbers.map(({ name }) => JSON.stringify(name)).join(', ')}.`,
    );
  if (time?.clock !== null && time !== null)
    notes.push(
      `Date and time of day stand in two columns, ${JSON.stringify(columns[time.index]?.name)} and ${JSON.stringify(columns[time.clock]?.name)}; they are read together.`,
    );
  if (time?.ambiguous)
    notes.push(
      `Whether ${JSON.stringify(time.example)} writes the day or the month first cannot be told; the day is taken to be first.`,
    );
  return notes;
}
