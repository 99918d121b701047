import type { Column, Inspection } from '#shared/operations/records/records.ts';
import type { ImportChoices } from './import-choices.ts';

/* What becomes of the columns of a file, by what was chosen. */

/** Keys of one record (docs/api.md, "How devices store data"). */
export const MOST_KEYS = 256;

export type ColumnType = 'auto' | 'number' | 'text';

/** The columns that may become keys, in the order of the file. */
export function valueColumns({ columns }: Pick<Inspection, 'columns'>): readonly Column[] {
  return columns.filter(({ role }) => role === 'value' || role === 'empty');
}

const namesIn = (list: string) => list.split(',').filter((name) => name !== '');

/** Names of the columns that are imported; null for all. */
function chosenColumns({ columns }: ImportChoices): ReadonlySet<string> | null {
  return columns === undefined ? null : new Set(namesIn(columns));
}

/** Whether a column with this name is imported. */
export function isIn(choices: ImportChoices): (name: string) => boolean {
  const chosen = chosenColumns(choices);
  return (name) => chosen?.has(name) ?? true;
}

/** Imports some columns, or leaves them out; the others stay as they are. */
export function tickColumns(
  choices: ImportChoices,
  inspection: Pick<Inspection, 'columns'>,
  names: ReadonlySet<string>,
  ticked: boolean,
): ImportChoices {
  const rowNumber = inspection.columns.find(({ name, role }) => role === 'row-number' && names.has(name));
  const isNow = isIn(choices);
  const all = valueColumns(inspection).map(({ name }) => name);
  const kept = all.filter((name) => (names.has(name) ? ticked : isNow(name)));
  // It is no value yet, and becomes the first one.
  const added = ticked && rowNumber ? [rowNumber.name, ...kept] : kept;
  return {
    ...choices,
    columns: kept.length === all.length ? undefined : added.join(','),
    ...(ticked && rowNumber && { row_numbers: 'keep' as const }),
  };
}

/** Imports the first columns alone, as many as a record has keys. */
export function tickFirst(choices: ImportChoices, inspection: Pick<Inspection, 'columns'>): ImportChoices {
  const names = valueColumns(inspection).map(({ name }) => name);
  return { ...choices, columns: names.slice(0, MOST_KEYS).join(',') };
}

/**
 * The keys that columns get, by their names: those that were given, else names without the units in them. A name stays whole
 * where another column would get the same key, or where the device has that key already.
 */
export function keysOf(
  { names }: ImportChoices,
  columns: readonly Column[],
  keysThere: readonly string[],
): Readonly<Record<string, string>> {
  if (names !== undefined) return JSON.parse(names) as Record<string, string>;
  const short = columns.map((column) => shortOf(column) ?? column.name);
  const count = new Map<string, number>();
  for (const key of [...short, ...columns.map(({ name }) => name)]) count.set(key, (count.get(key) ?? 0) + 1);
  const there = new Set(keysThere);
  return Object.fromEntries(
    columns.flatMap((column, at) => {
      const key = short[at] ?? column.name;
      const isFree = key !== column.name && count.get(key) === 1;
      return isFree && !there.has(column.name) ? [[column.name, key]] : [];
    }),
  );
}

/** The name of a column without its unit; null where it has none, or a key cannot be called so. */
function shortOf({ role, short_name: short }: Column): string | null {
  const isKey = short !== undefined && short !== '' && short !== 'timestamp' && !short.includes(',');
  return isKey && (role === 'value' || role === 'empty') ? short : null;
}

/** Gives a column another key; the empty text gives it its name back. */
export function renameColumn(
  choices: ImportChoices,
  keys: Readonly<Record<string, string>>,
  name: string,
  key: string,
): ImportChoices {
  const { [name]: _, ...others } = keys;
  return {
    ...choices,
    names: JSON.stringify(key === '' || key === name ? others : { ...others, [name]: key }),
  };
}

export function typeOf({ text_columns = '', number_columns = '' }: ImportChoices, name: string): ColumnType {
  if (namesIn(text_columns).includes(name)) return 'text';
  return namesIn(number_columns).includes(name) ? 'number' : 'auto';
}

export function setType(choices: ImportChoices, name: string, type: ColumnType): ImportChoices {
  const list = (before = '', isOf: boolean) => {
    const names = namesIn(before).filter((one) => one !== name);
    return [...names, ...(isOf ? [name] : [])].join(',') || undefined;
  };
  return {
    ...choices,
    text_columns: list(choices.text_columns, type === 'text'),
    number_columns: list(choices.number_columns, type === 'number'),
  };
}

/** What a line of a file holds: `data`, the first row of it, with no names above; `no-units`, a row of it below the names. */
export type LineHolds = 'names' | 'units' | 'data' | 'no-units';

/** Says what a line holds. Columns that are named anew lose what was chosen for them. */
export function sayLine(choices: ImportChoices, line: number, holds: LineHolds): ImportChoices {
  const { units_row: _row, units_line: _line, ...kept } = choices;
  if (holds === 'units') return { ...kept, units_line: line };
  if (holds === 'no-units') return { ...kept, units_row: 'no' };
  const { time_column, ...said } = kept;
  const { columns: _c, names: _n, text_columns: _t, number_columns: _m, ...others } = said;
  return {
    ...others,
    ...(time_column === '' && { time_column }),
    first_line: line,
    header: holds === 'names' ? 'yes' : 'no',
  };
}
