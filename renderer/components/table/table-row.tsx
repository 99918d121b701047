import { memo, type CSSProperties } from 'react';
import type { TableColumn } from './column.ts';
import classes from './table.module.css';
import { Tick } from './ticks.tsx';
import type { Ticked } from './use-ticked.ts';

/** Selection of rows. */
export interface Ticking<Row> {
  readonly ticked: Ticked;
  /** Returns the name of a row. */
  readonly nameOf: (row: Row) => string;
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  /** Pixels from the top of the first row. */
  readonly top: number;
  readonly height: number;
  /** Of header and rows alike. */
  readonly tracks: CSSProperties;
  readonly columns: readonly TableColumn<Row>[];
  readonly ticking: Ticking<Row> | undefined;
  readonly isTicked: boolean;
  /** Whether Tab leads to it. */
  readonly isActive: boolean;
  readonly onOpen: ((row: Row) => void) | undefined;
}

function OwnRow<Row>(props: TableRowProps<Row>) {
  const { row, index, top, height, tracks, columns, ticking, isTicked, isActive, onOpen } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      {...(ticking && { 'aria-selected': isTicked })}
      data-row={index}
      data-opens={onOpen !== undefined}
      className={classes['row']}
      style={{ ...tracks, height, transform: `translateY(${top}px)` }}
      onClick={(event) => {
        if (!(event.target as HTMLElement).closest('a, button, input, label')) onOpen?.(row);
      }}
    >
      {ticking && (
        <Tick name={ticking.nameOf(row)} index={index} isTicked={isTicked} ticked={ticking.ticked} />
      )}
      {columns.map((column) => (
        <div role="cell" key={column.id} className={classes['cell']} data-align={column.align}>
          {column.cell(row, isActive)}
        </div>
      ))}
    </div>
  );
}

/** A row of a table: ticked by its box, opened by a click anywhere else. `memo` would forget what a row is. */
export const TableRow = memo(OwnRow) as typeof OwnRow;
