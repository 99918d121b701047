import type { ReactNode } from 'react';

export interface TableColumn<Row> {
  readonly id: string;
  /** Header; empty over a row's actions. */
  readonly header: string;
  /** A CSS grid track: "2fr", "180px". */
  readonly width: string;
  /** Where there is no room for all columns, the one of the lowest is left out first; absent: never. */
  readonly rank?: number;
  /** Least widths that it would rather have, px, ascending, such as that of its whole header. */
  readonly wishes?: readonly number[];
  /** `isActive`: Tab leads to this row, as it does to all of a table without ticks. */
  readonly cell: (row: Row, isActive: boolean) => ReactNode;
  /** Orders rows by this column, ascending; absent where order says nothing. */
  readonly compare?: (a: Row, b: Row) => number;
  /** Whether the first press on the header has the greatest first. */
  readonly greatestFirst?: boolean;
  /** Small print behind the header. */
  readonly note?: string;
  /** What the column holds, where the header does not say it; told on hover. */
  readonly about?: string;
  /** A control beside the header. */
  readonly menu?: ReactNode;
  /** `center`: a control alone. */
  readonly align?: 'end' | 'center';
}

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}
