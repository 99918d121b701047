import type { Column, Delimiter, Doubt, FileSettings } from '#shared/operations/records/records.ts';
import { badRequest } from '../../base/errors.ts';
import { quote } from '#shared/values/validate.ts';
import { guessQuoting, readBoolean } from './cell.ts';
import type { CsvLayout } from './csv-layout.ts';
import { whatIs } from './describe-column.ts';
import { missingWords } from './missing-words.ts';
import {
  evidenceOf,
  guessStyles,
  isTextInQuotes,
  listed,
  type ColumnStyle,
  type StyleChoices,
  type StyleContext,
  usualMark,
} from './column-style.ts';
import { isSameRow, readCsvSample, tooWide, type Cell, type CsvRow } from '../text/csv.ts';
import { requireNoDecimalCommas } from './decimal-commas.ts';
import { guessDelimiter, namedDelimiter, usualWidth } from './delimiter.ts';
import {
  alignNames,
  countsUp,
  hasHeader,
  isMeasurement,
  MOST_UNIT_ROWS,
  nameColumns,
  namesIn,
  requireColumns,
} from './header.ts';
import { describeLayout, doubtsOf, doubtsOfHeader } from './layout-notes.ts';
import { tableBegins } from './table-begins.ts';
import { unitInName } from './unit-in-name.ts';
import { guessLineEnd } from '../text/line-ends.ts';
import { saidZone } from '../time/said-zone.ts';
import { chooseTime, type TimeChoices, type TimeColumn } from '../time/time-column.ts';

export type LayoutChoices = TimeChoices &
  StyleChoices &
  Pick<
    FileSettings,
    'delimiter' | 'first_line' | 'header' | 'unnamed_column' | 'row_numbers' | 'units_row' | 'units_line'
  >;

/**
 * Reads a file's beginning (whole rows); what is not chosen is guessed. Throws a 400 Refusal on an impossible choice and
 * where names cannot be told to columns.
 */
export function guessLayout(sample: string, choices: LayoutChoices): CsvLayout {
  const named = namedDelimiter(sample);
  const unshaped = {
    lineEnd: guessLineEnd(sample),
    firstLine: choices.first_line ?? firstLineOf(sample, named),
  };
  const delimiter = choices.delimiter ?? named ?? guessDelimiter(sample, unshaped);
  const shape = { ...unshaped, delimiter };
  const { rows: all, faults, fault } = readCsvSample(sample, shape);
  if (all.length === 0 && fault?.message === tooWide())
    throw badRequest(`line ${fault.line}: ${fault.message}.`);
  const begins = choices.first_line === undefined ? tableBegins(all, usualWidth(all)) : null;
  if (begins !== null) {
    const layout = guessLayout(sample, { ...choices, first_line: begins });
    return { ...layout, doubts: [doubtOfBeginning(begins), ...layout.doubts] };
  }

  const header = choices.header ? choices.header === 'yes' : hasHeader(all, usualWidth(all.slice(1)));
  const headCells = header ? all.slice(0, 1) : [];
  const repeated = all
    .slice(headCells.length)
    .filter((row) => !headCells.some((head) => isSameRow(head, row)));
  const below = header ? repeated : all;
  const above = unitsAbove(sample, shape, choices.units_line);
  const chosen = above ? null : rowOfUnits(below, header, choices.units_line);
  const rowsOfUnits = chosen ?? (header ? unitRows(below, above ? 'no' : choices.units_row) : 0);
  const unitsRow = rowsOfUnits > 0;
  const rows = below.slice(rowsOfUnits);
  const unitCells = above ?? (unitsRow ? below[chosen === null ? 0 : chosen - 1] : undefined);
  const units = unitCells?.cells ?? [];
  const headerCells = header ? (all[0]?.cells ?? []) : null;
  const width = widthOf(headerCells, rows);
  requireColumns(width, all[0]?.line ?? shape.firstLine);
  const even = rows.filter((row) => row.cells.length === width);
  const offset = headerCells ? alignNames(headerCells, even, width, choices.unnamed_column) : 0;
  if (headerCells && delimiter === ',' && offset === 0 && choices.unnamed_column === undefined)
    requireNoDecimalCommas(headerCells, even, width);
  const { names, unnamed, notes } = nameColumns(headerCells, offset, width);

  const columnCells = names.map((_, index) =>
    even.map((row): Cell => row.cells[index] ?? { text: '', quoted: false }),
  );
  const quoting = guessQuoting(headerCells, columnCells.flat(), { delimiter, now: choices.now });
  const context: StyleContext = { quoting, delimiter, choices, missing: missingWords(choices.missing_words) };
  requireNames(names, choices);
  const evidence = columnCells.map((cells) => evidenceOf(cells, context));
  const guessed = chooseTime({ names, unnamed }, columnCells, choices, usualMark(evidence));
  const titles = sample.split(shape.lineEnd, shape.firstLine - 1);
  const time =
    guessed && withZone(guessed, { names: header ? names : [], cells: columnCells, units, titles });
  const styles = guessStyles(names, evidence, time ? [time.index, ...time.others] : [], context);
  const counts =
    time?.index !== 0 &&
    (unnamed[0] === true || ROW_NUMBER_NAME.test(names[0] ?? '')) &&
    countsUp((columnCells[0] ?? []).map(({ text }) => text.trim()));
  const rowNumber = choices.row_numbers ? choices.row_numbers === 'leave-out' && time?.index !== 0 : counts;

  const columns = names.map((name, index): Column => {
    const kind = kindOf(columnCells[index] ?? [], styles[index], context);
    if (index === time?.index || index === time?.clock || index === time?.half)
      return { name, role: 'time', kind: 'time' };
    if (index === 0 && rowNumber) return { name, role: 'row-number', kind: 'number' };
    const inName = header ? unitInName(name) : null;
    const unit = (units[index]?.text ?? '').trim().slice(0, MOST_UNIT) || inName?.unit;
    return {
      name,
      role: kind === null ? 'empty' : 'value',
      kind: kind ?? 'text',
      ...(unit && { unit }),
      ...(inName && { short_name: inName.name }),
    };
  });
  return {
    shape,
    header,
    headRows: Number(header) + rowsOfUnits,
    head: [...headCells, ...below.slice(0, rowsOfUnits)],
    unitsLine: unitCells?.line ?? null,
    columns,
    styles,
    context,
    width,
    trailing: header && unnamed.at(-1) === true && columns.at(-1)?.role === 'empty',
    countsRows: rowNumber && choices.row_numbers === undefined,
    time,
    rows: even,
    sampled: rows,
    unsplit: { count: faults, first: fault },
    doubts: [
      ...(choices.header === undefined ? doubtsOfHeader(headCells[0]) : []),
      ...doubtsOf({ columns, styles, time, columnCells, context }),
    ],
    notes: [
      ...(named && choices.first_line === undefined ? ['The first line says how fields are separated.'] : []),
      ...(unitsRow ? [aboutUnits(rowsOfUnits)] : []),
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

/** A unit of a key has at most so many characters (docs/local-api.md, "Key settings"). */
const MOST_UNIT = 16;

const isUnit = (cell: Cell) => !isMeasurement(cell) && cell.text.trim().length <= MOST_UNIT;

/** How many rows below the names hold units and the like: nothing that was measured, above rows in which something was. */
function unitRows(rows: readonly CsvRow[], chosen?: 'yes' | 'no'): number {
  if (chosen === 'no') return 0;
  const found = rows.slice(0, MOST_UNIT_ROWS).findIndex(({ cells }) => !cells.every(isUnit));
  const count = found === -1 ? Math.min(1, rows.length - 1) : found;
  if (chosen === 'yes') return Math.max(1, count);
  const [first] = rows;
  if (first === undefined || count < 1) return 0;
  const data = rows
    .slice(count)
    .filter(({ cells }) => cells.length === first.cells.length)
    .slice(0, 10);
  const measured = first.cells.some((_, index) =>
    data.every(({ cells }) => cells[index] !== undefined && isMeasurement(cells[index])),
  );
  return data.length > 0 && measured && first.cells.some(({ text }) => text !== '') ? count : 0;
}

/** The row of units where it was said to stand above the names, or what stands above the data without names. */
function unitsAbove(sample: string, shape: CsvLayout['shape'], line: number | undefined): CsvRow | null {
  if (line === undefined || line >= shape.firstLine) return null;
  const text = sample.split(shape.lineEnd, line)[line - 1] ?? '';
  const { rows } = readCsvSample(text, { ...shape, firstLine: 1 }, 1);
  return { line, cells: rows[0]?.cells ?? [] };
}

/** How many rows below the names there are up to the units where their line was said. Throws a 400 Refusal elsewhere. */
function rowOfUnits(below: readonly CsvRow[], header: boolean, line: number | undefined): number | null {
  if (line === undefined) return null;
  const at = header ? below.slice(0, MOST_UNIT_ROWS).findIndex((row) => row.line === line) : -1;
  if (at === -1)
    throw badRequest(
      `units_line must be a line above the names, or one of the ${MOST_UNIT_ROWS} rows below them, got ${line}`,
    );
  return at + 1;
}

/** A column of times with what is said beside it of its zone. */
function withZone(
  time: TimeColumn,
  {
    names,
    cells,
    units,
    titles,
  }: {
    readonly names: readonly string[];
    readonly cells: readonly (readonly Cell[])[];
    readonly units: readonly Cell[];
    readonly titles: readonly string[];
  },
): TimeColumn {
  const said = saidZone({
    time: [time.index, time.clock, time.half].filter((index) => index !== null),
    names,
    texts: cells.map((column) => column.map(({ text }) => text.trim())),
    units: units.map(({ text }) => text),
    titles,
  });
  return { ...time, said };
}

function aboutUnits(rows: number): string {
  return rows === 1
    ? 'The row below the names holds units; it is no record.'
    : `${rows} rows below the names hold units and the like; they are no records.`;
}

/** The logs of Campbell loggers say by their first word that their names stand in line 2. */
const TOA5 = /^"?TOA5"?,/;

/** Lines of an annotated CSV of InfluxDB that say what its columns are. */
const ANNOTATIONS = /^(?:#(?:group|datatype|default),[^\r\n]*\r?\n)+/;

function firstLineOf(sample: string, named: Delimiter | null): number {
  const annotations = ANNOTATIONS.exec(sample)?.[0].split('\n') ?? [];
  return annotations.length > 0 ? annotations.length : named || TOA5.test(sample) ? 2 : 1;
}

function doubtOfBeginning(line: number): Doubt {
  return {
    setting: 'first_line',
    options: [String(line), '1'],
    columns: [],
    message: `The table seems to begin in line ${line}; what is before it is left out.`,
  };
}

/** Names without a column are no reason to drop them: rows that are shorter than their names are at fault. */
function widthOf(header: readonly Cell[] | null, rows: readonly CsvRow[]): number {
  return Math.max(usualWidth(rows) || (header?.length ?? 0), header ? namesIn(header) : 0);
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
    if (!style || style.verbatim) kinds.add('text');
    else {
      const what = whatIs(cell, style, context);
      if (what === 'missing' || (what === 'text' && cell.text === '')) continue;
      const isQuoted = isTextInQuotes(cell, style, context);
      const isTruth = what === 'text' && !isQuoted && style.as !== 'text' && readBoolean(cell.text) !== null;
      kinds.add(isTruth ? 'boolean' : what);
    }
  }
  if (kinds.size === 1) return kinds.values().next().value ?? null;
  return kinds.size === 0 ? null : 'text';
}
