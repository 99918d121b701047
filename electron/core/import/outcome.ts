import type { Columnar, StoredRecord } from '../store/store.ts';

/** What became of one row of a file. */
export type Outcome =
  | { readonly kind: 'record'; readonly record: StoredRecord }
  | { readonly kind: 'fault'; readonly line: number; readonly message: string }
  /** A row without a single value. */
  | { readonly kind: 'empty' }
  /** The rows above the data once more, as a logger writes them when it starts again. */
  | { readonly kind: 'head' };

export const EMPTY: Outcome = { kind: 'empty' };
export const HEAD: Outcome = { kind: 'head' };

/** A file as records, some rows at a time. */
export interface RecordReader {
  /** Columns are records, one after the other; they are filled anew once more is asked for. */
  outcomes(): AsyncIterable<readonly Outcome[] | Columnar>;
  /** What was noticed and handled, for people to read; complete once all outcomes were read. */
  notes(): readonly string[];
}
