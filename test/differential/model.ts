import { jsonText } from './json.ts';
import type { Value } from './payload.ts';
import { writeTime } from './time.ts';

/* What a device holds and what is to be read of it, as naively as can be: an array that is sorted and filtered. */

export interface Row {
  readonly time: number;
  readonly fields: readonly (readonly [key: string, value: Value])[];
}

/** µs, both ends inclusive; null is all. */
export type Span = { readonly start: number; readonly end: number } | null;

/** Numbers of a key in one column of pixels; null where it has none. */
export interface Column {
  count: number;
  min: number | null;
  max: number | null;
  first: number | null;
  last: number | null;
}

export class Records {
  #rows: Row[] = [];
  #sorted = true;

  add(rows: readonly Row[]): void {
    for (const row of rows) this.#rows.push(row);
    this.#sorted = false;
  }

  /** Removes the rows of a span and answers how many they were. */
  remove(span: Span): number {
    const before = this.#rows.length;
    this.#rows = this.#rows.filter(({ time }) => !within(time, span));
    return before - this.#rows.length;
  }

  /** Oldest first; of equal times the earliest arrival first. Sorting is stable and later arrivals stand behind. */
  rows(span: Span = null): readonly Row[] {
    if (!this.#sorted) this.#rows.sort((a, b) => a.time - b.time);
    this.#sorted = true;
    return span === null ? this.#rows : this.#rows.filter(({ time }) => within(time, span));
  }

  /** The keys with how many values and how many numbers each has, in UTF-16 code unit order. A boolean is 0 or 1. */
  keys(): { key: string; count: number; numeric: number }[] {
    const keys = new Map<string, { key: string; count: number; numeric: number }>();
    for (const { fields } of this.#rows)
      for (const [key, value] of fields) {
        const known = keys.get(key) ?? { key, count: 0, numeric: 0 };
        known.count++;
        if (typeof value !== 'string') known.numeric++;
        keys.set(key, known);
      }
    return [...keys.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Column c holds the instants t with floor((t - start) * width / (end - start + 1)) = c. */
  series(
    span: { readonly start: number; readonly end: number },
    keys: readonly string[],
    width: number,
  ): ReadonlyMap<string, Column[]> {
    const empty = (): Column => ({ count: 0, min: null, max: null, first: null, last: null });
    const drawn = new Map(keys.map((key) => [key, Array.from({ length: width }, empty)]));
    const start = BigInt(span.start);
    const length = BigInt(span.end) - start + 1n;
    for (const { time, fields } of this.rows(span)) {
      const place = Number(((BigInt(time) - start) * BigInt(width)) / length);
      for (const [key, value] of fields) {
        const column = drawn.get(key)?.[place];
        if (column === undefined || typeof value === 'string') continue;
        // -0 is 0 in a picture.
        const number = Number(value) + 0;
        column.count++;
        column.min = Math.min(column.min ?? number, number);
        column.max = Math.max(column.max ?? number, number);
        column.first ??= number;
        column.last = number;
      }
    }
    return drawn;
  }
}

const within = (time: number, span: Span) => span === null || (time >= span.start && time <= span.end);

/** The array of records of a page as /v2 shows it. */
export function pageText(rows: readonly Row[], keys: readonly string[] | null): string {
  return `[${rows.map((row) => lineOf(row, keys, false)).join(',')}]`;
}

/** An export: lines of JSON. A record without any of the keys is left out. */
export function ndjsonText(rows: readonly Row[], keys: readonly string[] | null): string {
  return rows
    .filter((row) => hasAny(row, keys))
    .map((row) => `${lineOf(row, keys, true)}\n`)
    .join('');
}

/** An export as RFC 4180 has it; every text in quotes and nothing else, so that types survive. */
export function csvText(rows: readonly Row[], keys: readonly string[]): string {
  const lines = rows
    .filter((row) => hasAny(row, keys))
    .map(({ time, fields }) => {
      const values = new Map(fields);
      return [writeTime(time), ...keys.map((key) => csvCell(values.get(key)))].join(',');
    });
  const header = ['timestamp', ...keys.map(quoted)].join(',');
  return [header, ...lines].map((line) => `${line}\r\n`).join('');
}

const hasAny = ({ fields }: Row, keys: readonly string[] | null) =>
  keys === null || fields.some(([key]) => keys.includes(key));

function lineOf({ time, fields }: Row, keys: readonly string[] | null, signedZero: boolean): string {
  let line = `{"timestamp":"${writeTime(time)}"`;
  for (const [key, value] of fields)
    if (keys === null || keys.includes(key))
      line += `,${jsonText(key)}:${typeof value === 'string' ? jsonText(value) : bare(value, signedZero)}`;
  return `${line}}`;
}

const csvCell = (value: Value | undefined) =>
  value === undefined ? '' : typeof value === 'string' ? quoted(value) : bare(value, true);

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Pages write numbers as JSON.stringify does, to which -0 is 0; exports keep the sign, so that nothing is lost. */
const bare = (value: number | boolean, signedZero: boolean) =>
  signedZero && Object.is(value, -0) ? '-0' : String(value);
