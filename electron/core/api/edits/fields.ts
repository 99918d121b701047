import { isDeepStrictEqual } from 'node:util';

/* Fields of a row as an edit says that they were or are to be. */

/** Whether all of these fields are so already. */
export function isThere<Row extends object>(
  row: Row,
  fields: { readonly [Field in keyof Row]?: unknown },
): boolean {
  return entriesOf(fields).every(([field, value]) => isDeepStrictEqual(row[field as keyof Row], value));
}

export interface Differing {
  readonly field: string;
  /** Present value. */
  readonly now: unknown;
}

/** Returns the first field that is not as it has to be; null where all are. */
export function differing<Row extends object>(
  row: Row,
  fields: { readonly [Field in keyof Row]?: unknown },
): Differing | null {
  const found = entriesOf(fields).find(
    ([field, value]) => !isDeepStrictEqual(row[field as keyof Row], value),
  );
  return found ? { field: found[0], now: row[found[0] as keyof Row] } : null;
}

const entriesOf = (fields: object) => Object.entries(fields).filter(([, value]) => value !== undefined);
