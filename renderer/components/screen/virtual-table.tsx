import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { fitTracks, leastWidth } from './fit-columns.ts';
import type { Sort } from './list-shown.ts';
import classes from './virtual-table.module.css';

export interface TableColumn<Row> {
  readonly id: string;
  /** Nothing over what can be done with a row. */
  readonly header: string;
  /** A CSS grid track: "2fr", "180px". */
  readonly width: string;
  /** Where there is no room for all columns, the one of the lowest is left out first; absent: never. */
  readonly rank?: number;
  readonly cell: (row: Row) => ReactNode;
  /** Orders rows by this column, ascending; absent where order says nothing. */
  readonly compare?: (a: Row, b: Row) => number;
  readonly align?: 'end';
}

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  readonly rowKey: (row: Row) => string;
  /** The order at first; absent keeps the rows' own. With `onSort` the order now. */
  readonly sort?: Sort | undefined;
  /** Takes over keeping the order. */
  readonly onSort?: (sort: Sort) => void;
  /** Opens a row: a click anywhere on it, or Enter on its link. */
  readonly onOpen?: (row: Row) => void;
}

const ROW_HEIGHT = 44;

/** A sortable table of any length: only the rows in sight are in the document. Arrow keys walk the rows' first links. */
export function VirtualTable<Row>({
  label,
  rows,
  columns: all,
  rowKey,
  sort: given,
  onSort,
  onOpen,
}: VirtualTableProps<Row>) {
  const { ref: sized, width } = useElementSize();
  const frame = useRef<HTMLDivElement>(null);
  const frameRef = useMergedRef(sized, frame);
  const columns = useMemo(() => fitTracks(all, width), [all, width]);
  /** The row that the keyboard has gone to, until it can have the focus. */
  const awaited = useRef<number | null>(null);
  const [own, setOwn] = useState<Sort | null>(given ?? null);
  const sort = onSort ? (given ?? null) : own;
  const sorted = useMemo(() => {
    const compare = all.find((column) => column.id === sort?.column)?.compare;
    if (!sort || !compare) return rows;
    const direction = sort.descending ? -1 : 1;
    return rows.toSorted((a, b) => direction * compare(a, b));
  }, [rows, all, sort]);
  // oxlint-disable-next-line react/incompatible-library -- only matters to the React compiler, which is not used
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const tracks = {
    gridTemplateColumns: columns.map((column) => column.width).join(' '),
    minWidth: leastWidth(columns),
  };

  /** Gives the focus to the row that waits for it; false while the row is too far away to be in the document. */
  function focusAwaited(): boolean {
    const link = frame.current?.querySelector<HTMLElement>(`[data-row="${awaited.current}"] a`);
    if (!link) return false;
    awaited.current = null;
    link.focus();
    return true;
  }
  // Scrolling to a row renders it, sooner or later.
  useEffect(() => void focusAwaited());

  function walk(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -sorted.length, End: sorted.length }[event.key];
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
    if (step === undefined || !row) return;
    event.preventDefault();
    awaited.current = Math.max(0, Math.min(sorted.length - 1, Number(row.dataset['row']) + step));
    if (!focusAwaited()) virtualizer.scrollToIndex(awaited.current);
  }

  return (
    <div className={classes['frame']} ref={frameRef} onKeyDown={walk}>
      <div role="table" aria-label={label} aria-rowcount={sorted.length + 1}>
        <div role="rowgroup" className={classes['head']}>
          <div role="row" aria-rowindex={1} className={classes['row']} style={tracks}>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort ?? setOwn} />
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes['body']} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = sorted[index];
            return (
              row !== undefined && (
                <div
                  role="row"
                  key={rowKey(row)}
                  aria-rowindex={index + 2}
                  data-row={index}
                  data-opens={onOpen !== undefined}
                  className={classes['row']}
                  style={{ ...tracks, height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
                  onClick={(event) => {
                    if (!(event.target as HTMLElement).closest('a, button')) onOpen?.(row);
                  }}
                >
                  {columns.map((column) => (
                    <div role="cell" key={column.id} className={classes['cell']} data-align={column.align}>
                      {column.cell(row)}
                    </div>
                  ))}
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface HeaderCellProps<Row> {
  readonly column: TableColumn<Row>;
  readonly sort: Sort | null;
  readonly onSort: (sort: Sort) => void;
}

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const active = sort?.column === column.id;
  const descending = active && sort.descending;
  const Arrow = descending ? IconArrowDown : IconArrowUp;
  return (
    <div
      role="columnheader"
      className={classes['cell']}
      data-align={column.align}
      aria-sort={active ? (descending ? 'descending' : 'ascending') : undefined}
    >
      {column.compare ? (
        <UnstyledButton
          className={classes['sort'] ?? ''}
          onClick={() => onSort({ column: column.id, descending: active && !descending })}
        >
          {column.header}
          {active && <Arrow size={14} aria-hidden />}
        </UnstyledButton>
      ) : (
        column.header || <VisuallyHidden>Actions</VisuallyHidden>
      )}
    </div>
  );
}
