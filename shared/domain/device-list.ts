import { SOURCES, type Source } from './sources.ts';
import { alternatives } from '../values/text.ts';

/*
 * A list of devices as somebody pastes it: a name a line, or a CSV with a header, of a spreadsheet or a script.
 */

/** A device to be made; what is absent is as for any device. */
export interface NewRow {
  readonly name: string;
  readonly source?: Source;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly brand?: string;
  readonly model?: string;
  readonly interval_s?: number;
}

export interface ReadRow {
  /** From 1, as an editor counts. */
  readonly line: number;
  readonly row: NewRow;
  /** Problem; null for none. */
  readonly problem: string | null;
}

export interface ReadList {
  readonly rows: readonly ReadRow[];
  /** Columns that mean nothing here. */
  readonly unknown: readonly string[];
  /** Why none of it can be taken. */
  readonly problem: string | null;
}

const FIELDS = ['name', 'description', 'tags', 'brand', 'model', 'source', 'interval_s'] as const;
type Field = (typeof FIELDS)[number];

const OTHER_WORDS: Readonly<Record<string, Field>> = {
  device: 'name',
  tag: 'tags',
  labels: 'tags',
  manufacturer: 'brand',
  type: 'model',
  protocol: 'source',
  interval: 'interval_s',
};

const MOST_ROWS = 10_000;
const LIMITS = { name: 100, description: 500, brand: 100, model: 100 } as const;
const MOST_TAGS = 50;
const MOST_TAG_LETTERS = 64;

/** Reads a pasted list; `source` is for rows that name none. */
export function readList(text: string, source: Source): ReadList {
  const lines = linesOf(text.replace(/^\ufeff/, ''));
  const [first] = lines;
  if (!first) return { rows: [], unknown: [], problem: null };
  const delimiter = delimiterOf(first.text);
  const header = cellsOf(first.text, delimiter).map(fieldOf);
  const isHeader = header.includes('name');
  const columns: readonly (Field | null)[] = isHeader ? header : FIELDS;
  const body = isHeader ? lines.slice(1) : lines;
  const rows = body.map(({ text: line, at }): ReadRow => {
    const { row, problem: wrong } = rowOf(cellsOf(line, delimiter), columns, source);
    return { line: at, row, problem: wrong };
  });
  const unknown = isHeader
    ? cellsOf(first.text, delimiter).filter((cell, at) => cell !== '' && columns[at] === null)
    : [];
  const problem =
    rows.length > MOST_ROWS
      ? `These are ${rows.length.toLocaleString('en')} devices; at most 10,000 are made at once.`
      : null;
  return { rows, unknown, problem };
}

/** Names that come twice in a list, and those that devices have already: both may be meant, and neither goes unsaid. */
export function repeatedNames(
  rows: readonly ReadRow[],
  known: readonly string[],
): { readonly twice: readonly string[]; readonly there: readonly string[] } {
  const [seen, there, twice] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const existing = new Set(known);
  for (const { row } of rows) {
    if (row.name === '') continue;
    if (seen.has(row.name)) twice.add(row.name);
    if (existing.has(row.name)) there.add(row.name);
    seen.add(row.name);
  }
  return { twice: [...twice], there: [...there] };
}

/** Lines that hold anything; a cell in quotes may hold more than one. */
function linesOf(text: string): { readonly text: string; readonly at: number }[] {
  const lines: { text: string; at: number }[] = [];
  let open: { text: string; at: number } | null = null;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    open = open ? { text: `${open.text}\n${line}`, at: open.at } : { text: line, at: index + 1 };
    if ((open.text.match(/"/g)?.length ?? 0) % 2 === 1) continue;
    if (open.text.trim() !== '') lines.push(open);
    open = null;
  }
  return open ? [...lines, open] : lines;
}

/** Returns the delimiter: of these, the most frequent one of the first line outside of quotes. */
function delimiterOf(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, '');
  const counts = ['\t', ';', ','].map((each) => ({ each, count: bare.split(each).length - 1 }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).each;
}

function cellsOf(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at];
    if (letter === '"' && isQuoted && line[at + 1] === '"') {
      cell += '"';
      at++;
    } else if (letter === '"' && (isQuoted || cell.trim() === '')) {
      isQuoted = !isQuoted;
      if (isQuoted) cell = '';
    } else if (letter === delimiter && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += letter;
  }
  return [...cells, cell.trim()];
}

function fieldOf(cell: string): Field | null {
  const word = cell.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return FIELDS.find((field) => field === word) ?? OTHER_WORDS[word] ?? null;
}

function rowOf(
  cells: readonly string[],
  columns: readonly (Field | null)[],
  usual: Source,
): Pick<ReadRow, 'row' | 'problem'> {
  const given: Partial<Record<Field, string>> = {};
  for (const [at, field] of columns.entries()) {
    const cell = cells[at];
    if (field !== null && cell) given[field] = cell;
  }
  const {
    name = '',
    description,
    brand,
    model,
    tags: tagText,
    source: sourceText,
    interval_s: every,
  } = given;
  const tags = tagText?.split(/[,;|]/).flatMap((tag) => tag.trim() || []);
  const sourceWord = sourceText?.toLowerCase() ?? usual;
  const source = SOURCES.find((each) => each === sourceWord);
  const interval_s = every === undefined ? undefined : Number(every);
  const row: NewRow = {
    name,
    ...(source && { source }),
    ...(description && { description }),
    ...(tags && { tags }),
    ...(brand && { brand }),
    ...(model && { model }),
    ...(interval_s !== undefined && { interval_s }),
  };
  return { row, problem: problemOf(row, sourceWord, cells.length > columns.length) };
}

function problemOf(row: NewRow, sourceWord: string, hasMore: boolean): string | null {
  if (row.name === '') return 'has no name';
  for (const [field, most] of Object.entries(LIMITS)) {
    const text = row[field as keyof typeof LIMITS] ?? '';
    if (text.length > most && Array.from(text).length > most)
      return `${field} has more than ${most} characters`;
  }
  const { tags = [], interval_s } = row;
  if (tags.length > MOST_TAGS) return `has more than ${MOST_TAGS} tags`;
  if (tags.some((tag) => tag.length > MOST_TAG_LETTERS))
    return `a tag has more than ${MOST_TAG_LETTERS} characters`;
  if (row.source === undefined) return `source must be ${alternatives(SOURCES)}, not “${sourceWord}”`;
  if (interval_s !== undefined && !(interval_s >= 0.001 && interval_s <= 31_536_000))
    return 'interval_s must be seconds, from 0.001 to 31536000';
  if (hasMore) return 'has more cells than there are columns';
  return null;
}

/** A cell of a CSV file. */
const cellOf = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Ids and tokens of what was made, as a CSV file to be kept. */
export function tokensFile(
  devices: readonly {
    readonly name: string;
    readonly metadata: { readonly device_id: string; readonly device_token: string };
  }[],
): string {
  const rows = devices.map(({ name, metadata: { device_id, device_token } }) => [
    name,
    device_id,
    device_token,
  ]);
  return [['name', 'device_id', 'device_token'], ...rows]
    .map((row) => `${row.map(cellOf).join(',')}\r\n`)
    .join('');
}
