import type { Column, Delimiter, Doubt } from '#shared/operations/records/records.ts';
import type { CsvFault, CsvRow, CsvShape } from '../text/csv.ts';
import type { TimeColumn } from '../time/time-column.ts';
import type { ColumnStyle, StyleContext } from './column-style.ts';

/** How a CSV file is read. */
export interface CsvLayout {
  readonly shape: CsvShape & { readonly delimiter: Delimiter };
  /** Whether the first row is names, and how many rows of names and units there are before those of data. */
  readonly header: boolean;
  readonly headRows: number;
  /** These rows. */
  readonly head: readonly CsvRow[];
  /** The line of the units, which may also stand above the names; null where there is none. */
  readonly unitsLine: number | null;
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
  /** The sample's rows of data that have the usual width, by which all else is judged; and all of them. */
  readonly rows: readonly CsvRow[];
  readonly sampled: readonly CsvRow[];
  /** What of the sample cannot be split into fields, and how many such lines there are. */
  readonly unsplit: { readonly count: number; readonly first: CsvFault | null };
  /** What was noticed and handled, for people to read. */
  readonly notes: readonly string[];
  /** What the first rows leave open. */
  readonly doubts: readonly Doubt[];
}
