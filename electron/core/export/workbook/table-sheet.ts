import {
  columnName,
  headRow,
  rowOf,
  SHEET_END,
  sheetStart,
  STYLES,
  textCell,
  timeCell,
  valueCell,
} from '../../store/blocks/codec/xlsx-cells.ts';

/** A time of a table: as a clock shows it, in µs, and as ISO 8601. */
export interface TableTime {
  readonly wall: number;
  readonly text: string;
}
export type TableCell = string | number | boolean | TableTime | null;

/** A small table on a sheet of its own. */
export interface Table {
  readonly name: string;
  readonly columns: readonly { readonly title: string; readonly width: number }[];
  readonly rows: readonly (readonly TableCell[])[];
}

export function tableSheet({ columns, rows }: Table): string {
  const start = sheetStart(columns.map(({ width }) => width));
  const head = headRow(columns.map(({ title }) => title));
  const body = rows.map((cells, i) =>
    rowOf(i + 2, cells.map((cell, place) => cellOf(cell, `${columnName(place)}${i + 2}`)).join('')),
  );
  return start + head + body.join('') + SHEET_END;
}

function cellOf(cell: TableCell, of: string): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return textCell(of, cell, STYLES.wrapped);
  return typeof cell === 'object' ? timeCell(of, cell.wall, cell.text) : valueCell(of, cell);
}
