import { formatCount } from '../../format.ts';
import { compareNames } from '../../order.ts';
import type { TableColumn } from './column.ts';

/** One function for all columns of names: what is ordered by it is ordered anew only where there are other rows. */
const byName = (a: { readonly name: string }, b: { readonly name: string }) => compareNames(a.name, b.name);

/** Column of names, in natural order. */
export function nameColumn<Row extends { readonly name: string }>(
  width: string,
  cell: TableColumn<Row>['cell'],
  header = 'Name',
): TableColumn<Row> {
  return { id: 'name', header, width, compare: byName, cell };
}

/** Column of a count. */
export function countColumn<Id extends string>(
  id: Id,
  header: string,
  width: string,
  rank?: number,
): TableColumn<Readonly<Record<Id, number>>> {
  return {
    id,
    header,
    width,
    align: 'end',
    ...(rank !== undefined && { rank }),
    compare: (a, b) => a[id] - b[id],
    cell: (row) => formatCount(row[id]),
  };
}

/** Column of a row's actions. */
export function actionsColumn<Row>(width: string, cell: TableColumn<Row>['cell']): TableColumn<Row> {
  return { id: 'actions', header: '', width, align: 'end', cell };
}
