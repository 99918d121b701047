import type { Column, Doubt } from '#shared/operations/records/records.ts';
import { quote } from '#shared/values/validate.ts';
import { isQuotedNumber, numberBy, type ColumnStyle, type StyleContext } from './column-style.ts';
import { isMeasurement, mayBeData } from './header.ts';
import { KNOWN, sentinelsOf } from './missing-words.ts';
import type { Cell, CsvRow } from '../text/csv.ts';
import type { TimeColumn } from '../time/time-column.ts';
import { isDateOnly } from '../time/time-format.ts';

interface Found {
  readonly columns: readonly Column[];
  readonly columnCells: readonly (readonly Cell[])[];
  readonly styles: readonly ColumnStyle[];
  readonly context: StyleContext;
  readonly time: TimeColumn | null;
  /** Which columns the file does not name. */
  readonly unnamed: readonly boolean[];
  /** The column that the names begin at. */
  readonly offset: 0 | 1;
  readonly header: readonly Cell[] | null;
}

/** What was noticed in the first rows and how it is handled, for people to read. */
export function describeLayout(found: Found): string[] {
  return [...aboutNames(found), ...aboutNumbers(found), ...aboutTime(found)];
}

function aboutNames({ columns, unnamed, offset, header }: Found): string[] {
  const rowNumber = columns[0]?.role === 'row-number';
  if (offset === 1)
    return [
      rowNumber
        ? 'Rows have one field more than the header: the first is a row number and is left out.'
        : `Rows have one field more than the header: the first has no name, and is called ${quote(columns[0]?.name)} here.`,
    ];
  const notes = rowNumber ? ['The first column only counts the rows and is left out.'] : [];
  const behind = header ? columns.slice(header.length) : [];
  if (behind.length > 0)
    notes.push(
      behind.every(({ role }) => role === 'empty')
        ? 'Rows end with a delimiter that the header lacks.'
        : `Rows have more fields than the header: the last ${behind.length === 1 ? 'has no name, and is' : 'have no names, and are'} called ${namesOf(behind)} here.`,
    );
  else if (header && unnamed.some((one, index) => one && columns[index]?.role === 'value'))
    notes.push('A column has no name; it is called by its place.');
  return notes;
}

function aboutNumbers({ columns, columnCells, styles, context }: Found): string[] {
  const notes: string[] = [];
  const values = columns.map((column, index) => ({ ...column, style: styles[index], index }));
  const commas = values.filter(
    ({ role, style }) => role === 'value' && style?.mark === ',' && style.fractions,
  );
  if (commas.length > 0) notes.push('Numbers are written with a decimal comma.');
  const kept = values.filter(({ role, style }) => role === 'value' && style?.digits !== null);
  for (const { name, style } of kept)
    notes.push(
      `${quote(name)} is kept as text, since numbers would lose what tells apart values such as ${quote(style?.digits)}.`,
    );
  const quoted = values.filter(
    ({ role, index, style }) =>
      role === 'value' && style && columnCells[index]?.some((cell) => isQuotedNumber(cell, style, context)),
  );
  if (quoted.length > 0)
    notes.push(`Numbers in quotes are read as text, since other values stand without: ${namesOf(quoted)}.`);
  return notes;
}

/** What the first rows leave open, but for what the times of rows say. */
export function doubtsOf(
  found: Pick<Found, 'columns' | 'columnCells' | 'styles' | 'context' | 'time'>,
): Doubt[] {
  return [
    ...doubtsOfMark(found.columns, found.styles),
    ...doubtsOfFlags(found),
    ...doubtsOfTime(found),
    ...doubtsOfMilliseconds(found),
    ...doubtsOfTimeOfDay(found),
    ...doubtsOfSentinels(found),
  ];
}

/** That the first row, which was taken for names, may be data. */
export function doubtsOfHeader(first: CsvRow | undefined): Doubt[] {
  if (!first || !mayBeData(first)) return [];
  const measured = first.cells.find(isMeasurement)?.text.trim();
  return [
    {
      setting: 'header',
      options: ['yes', 'no'],
      columns: [],
      message: `The row in line ${first.line}, which holds ${quote(measured)}, is taken for names; say so where it is data [header=no].`,
    },
  ];
}

/** Numbers that loggers write where there is no value: one question for all of a file, as its answer is one setting. */
function doubtsOfSentinels({
  columns,
  columnCells,
  styles,
  context,
}: Pick<Found, 'columns' | 'columnCells' | 'styles' | 'context'>): Doubt[] {
  if (context.missing.chosen) return [];
  const found = columns.flatMap((column, index) => {
    const style = styles[index];
    if (column.role !== 'value' || column.kind !== 'number' || !style) return [];
    const cells = columnCells[index] ?? [];
    const sentinels = sentinelsOf(cells.flatMap(({ text }) => numberBy(text, style, context) ?? []));
    return sentinels.flatMap((sentinel) => {
      const written = cells.find(({ text }) => numberBy(text, style, context) === sentinel);
      return written ? [{ column, word: written.text.trim() }] : [];
    });
  });
  if (found.length === 0) return [];
  const byWord = Map.groupBy(found, ({ word }) => word);
  // The words of the setting are separated by commas.
  const words = [...byWord.keys()].filter((word) => !word.includes(','));
  const each = words.length > 1 ? words.map((word) => [word]) : [];
  const answers = [[], ...each, ...(words.length > 0 ? [words] : [])];
  const held = [...byWord].map(([word, some]) => {
    const named = some.map(({ column }) => column);
    return `${namesOf(named)} ${named.length === 1 ? 'holds' : 'hold'} ${quote(word)}`;
  });
  const isOne = byWord.size === 1;
  return [
    {
      setting: 'missing_words',
      options: answers.map((answer) => [KNOWN, ...answer].join(',')),
      columns: [...new Set(found.map(({ column }) => column.name))],
      message: `${held.join(', ')}, far from all other values, which often ${isOne ? 'stands' : 'stand'} for no value. ${isOne ? 'It is kept as a number' : 'They are kept as numbers'}${words.length === 0 ? '' : `, unless ${isOne ? 'it is' : 'they are'} among the words for missing values [missing_words=${[KNOWN, ...words].join(',')}]`}.`,
    },
  ];
}

function doubtsOfTime({
  columns,
  columnCells,
  time,
}: Pick<Found, 'columns' | 'columnCells' | 'time'>): Doubt[] {
  const name = columns[time?.index ?? -1]?.name;
  if (!time || name === undefined) return [];
  // Numbers that count the rows from their first on are told of as such, and are nothing else.
  const counts = (index: number) =>
    columns[index]?.role === 'row-number' && /^[01]$/.test(columnCells[index]?.[0]?.text.trim() ?? '');
  const others = time.others.flatMap((index) => (counts(index) ? [] : (columns[index] ?? [])));
  if (others.length === 0) return [];
  return [
    {
      setting: 'time_column',
      options: [name, ...others.map((other) => other.name)],
      columns: [name, ...others.map((other) => other.name)],
      message: `${namesOf(others)} also ${others.length === 1 ? 'holds' : 'hold'} times; those of ${quote(name)} are the times of the records.`,
    },
  ];
}

const MILLISECONDS = /^(?:[ _]|ms|millis?|msecs?|milli ?seconds?|millisekunden?)+$/i;

/** That a column beside times of whole seconds may hold their milliseconds. */
function doubtsOfMilliseconds({
  columns,
  columnCells,
  time,
}: Pick<Found, 'columns' | 'columnCells' | 'time'>): Doubt[] {
  const name = columns[time?.index ?? -1]?.name;
  if (!time || name === undefined || time.format.kind === 'elapsed' || time.hasFractions) return [];
  const found = columns.filter(
    (column, index) =>
      column.role === 'value' &&
      MILLISECONDS.test(bareName(column.name)) &&
      (columnCells[index] ?? []).every(({ text }) => text === '' || /^\d{1,3}$/.test(text.trim())),
  );
  return found.map((column) => ({
    setting: 'time_column',
    options: [name],
    columns: [name, column.name],
    message: `${quote(column.name)} may hold the milliseconds of the times of ${quote(name)}, which are read without them. Write both into one column where it does.`,
  }));
}

/** What columns of times of day are called, also where these are written as nothing here reads them: "0730", "07h30", "1". */
const TIME_OF_DAY =
  /^(?:time|uhrzeit|zeit|uhr|hours?|stunden?|hrs?|hh|h|hhmm|hhmmss|hh:mm(?::ss)?|heures?|horas?|ora|ore|tid|klokkeslett|klockslag|tijd|uur)$/i;

/** A time of day as nothing here reads it. */
const UNREAD_TIME = /^(?:(?:[01]\d|2[0-3])[0-5]\d|(?:[01]?\d|2[0-3])h[0-5]\d)$/;
/** Summer and winter, and a clock that was set. */
const MOST_DAILY_TIMES = 3;

/** Whether texts may be when a logger that writes once a day does so: as other numbers they would change. */
function areDailyTimes(texts: readonly string[]): boolean {
  const different = new Set(texts).size;
  return different > 0 && different <= MOST_DAILY_TIMES && texts.every((text) => UNREAD_TIME.test(text));
}

/** That a column beside dates alone may hold their times of day. */
function doubtsOfTimeOfDay({
  columns,
  columnCells,
  time,
}: Pick<Found, 'columns' | 'columnCells' | 'time'>): Doubt[] {
  const name = columns[time?.index ?? -1]?.name;
  if (!time || name === undefined || time.clock !== null || !isDateOnly(time.example)) return [];
  const found = columns.flatMap((column, index) => {
    if (column.role !== 'value' || time.others.includes(index)) return [];
    const texts = (columnCells[index] ?? []).map(({ text }) => text.trim()).filter((text) => text !== '');
    const written = texts[0] ?? '';
    const isNamed = TIME_OF_DAY.test(bareName(column.name)) && /^\d/.test(written);
    const isBeside = Math.abs(index - time.index) === 1 && areDailyTimes(texts);
    return isNamed || isBeside ? [{ column, written }] : [];
  });
  return found.map(({ column, written }) => ({
    setting: 'time_column',
    options: [name],
    columns: [name, column.name],
    message: `${quote(column.name)} may hold the times of day of ${quote(name)}, such as ${quote(written)}, which are read without them. Write them as "17:51" where it does.`,
  }));
}

const bareName = (name: string) => name.replaceAll(/[()[\]]/g, ' ').trim();

function doubtsOfMark(columns: readonly Column[], styles: readonly ColumnStyle[]): Doubt[] {
  const unsure = columns.filter(({ role }, index) => role === 'value' && styles[index]?.unsure);
  if (unsure.length === 0) return [];
  const comma = styles.find((style, index) => style.unsure && columns[index]?.role === 'value')?.mark === ',';
  return [
    {
      setting: 'decimal_mark',
      options: comma ? [',', '.'] : ['.', ','],
      columns: unsure.map(({ name }) => name),
      message: `Whether a comma or a point in ${namesOf(unsure)} stands before decimals or thousands cannot be told; ${comma ? 'the comma stands before decimals' : 'the point stands before decimals'} here.`,
    },
  ];
}

/** That decimal commas may as well stand between a number and a flag. */
function doubtsOfFlags({ columns, styles, context }: Pick<Found, 'columns' | 'styles' | 'context'>): Doubt[] {
  const flagged = columns.filter(({ role }, index) => role === 'value' && styles[index]?.flagged);
  const [example] = styles.flatMap(({ flagged: one }, index) =>
    one !== null && columns[index]?.role === 'value' ? [one] : [],
  );
  if (example === undefined) return [];
  const { text_columns: texts = '' } = context.choices;
  return [
    {
      setting: 'text_columns',
      options: [texts, [...(texts === '' ? [] : [texts]), ...flagged.map(({ name }) => name)].join(',')],
      columns: flagged.map(({ name }) => name),
      message: `Values of ${namesOf(flagged)} such as ${quote(example)} are read as numbers with a decimal comma; where a flag stands behind the comma, have them kept as they are written [text_columns=…].`,
    },
  ];
}

function aboutTime({ columns, time }: Found): string[] {
  if (!time) return [];
  const notes: string[] = [];
  const name = columns[time.index]?.name;
  if (time.clock !== null)
    notes.push(
      `Date and time of day stand in two columns, ${JSON.stringify(name)} and ${JSON.stringify(columns[time.clock]?.name)}; they are read together.`,
    );
  if (time.half !== null)
    notes.push(
      `AM and PM of the times stand in a column of their own, ${JSON.stringify(columns[time.half]?.name)}; they are read together.`,
    );
  if (time.format.kind === 'digits')
    notes.push(
      `The digits of ${quote(name)}, such as ${quote(time.example)}, are dates: ${time.format.form}.`,
    );
  if (time.guessed)
    notes.push(`The numbers of ${quote(name)} are taken for times, as they rise like those of a clock.`);
  return notes;
}

function namesOf(columns: readonly { readonly name: string }[]): string {
  return columns.map(({ name }) => JSON.stringify(name)).join(', ');
}
