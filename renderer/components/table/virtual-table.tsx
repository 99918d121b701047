import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useEffect, useEffectEvent, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import type { Sort, TableColumn } from './column.ts';
import { fitTracks, leastWidth, spreadTracks, widenTracks } from './fit-columns.ts';
import { HeaderCell } from './header-cell.tsx';
import { DENSITIES, TableFrame, useRows, type Density } from './table-frame.tsx';
import { TableRow, type Ticking } from './table-row.tsx';
import { TICK_WIDTH, TickAll } from './ticks.tsx';
import { useAnchor } from './use-anchor.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useSlots } from './use-slots.ts';

export interface TableHandle {
  /** Gives a row the focus, wherever it is. */
  readonly focusRow: (index: number) => void;
}

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** As many show as there is room for. */
  readonly columns: readonly TableColumn<Row>[];
  readonly rowKey: (row: Row) => string;
  /** The order at first; absent keeps the rows' own. With `onSort` the order now. */
  readonly sort?: Sort | undefined;
  /** Takes over keeping the order. */
  readonly onSort?: (sort: Sort) => void;
  /** Whether the rows come in the order that `sort` says. */
  readonly isSorted?: boolean;
  /** Opens a row: a click anywhere on it, or Enter on its link. */
  readonly onOpen?: (row: Row) => void;
  /** Called with the columns that are left out for want of room. */
  readonly onFit?: (leftOut: readonly string[]) => void;
  /** Rows can be ticked, and one of them at a time takes part in the order of Tab. */
  readonly ticking?: Ticking<Row>;
  /** Goes up from the first row. */
  readonly onLeave?: () => void;
  readonly density?: Density;
  /** Rows come in front of the others by themselves: what is looked at stays in its place. */
  readonly isLive?: boolean;
  /** The elements of a row that goes become those of one that comes. What cells remember is then of a place, not of a row. */
  readonly reusesRows?: boolean;
  readonly ref?: Ref<TableHandle>;
}

/** A sortable table of any length. Arrow keys walk the rows' first links. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rowKey, ticking, onLeave, onOpen, density = 'roomy', isLive = false, ref } = props;
  const { reusesRows = false } = props;
  const { ref: sized, width } = useElementSize();
  const frame = useRef<HTMLDivElement>(null);
  const frameRef = useMergedRef(sized, frame);
  const columns = useFitting(props, width);
  const { rows, sort, onSort } = useSorted(props);
  const anchor = useAnchor({
    frame,
    rows,
    rowKey,
    height: DENSITIES[density].height,
    order: JSON.stringify(sort),
    isOn: isLive,
  });
  const virtual = useRows(frame, rows.length, density, anchor.index);
  const ticked = ticking?.ticked ?? null;
  const { active, goTo, onFocus, onKeyDown } = useRowKeys({
    frame,
    count: rows.length,
    ticked,
    scrollTo: (index) => virtual.scrollToIndex(index),
    onLeave,
  });
  useImperativeHandle(ref, () => ({ focusRow: goTo }));
  const inSight = virtual.getVirtualItems().flatMap(({ index }) => rows[index] ?? []);
  const slots = useSlots(frame, inSight.map(rowKey), reusesRows);
  const isTicking = ticked !== null;
  const tracks = useMemo(() => {
    const all = isTicking
      ? [`${TICK_WIDTH}px`, ...spreadTracks(columns)]
      : columns.map((column) => column.width);
    return { gridTemplateColumns: all.join(' '), minWidth: leastWidth(columns) };
  }, [columns, isTicking]);
  return (
    <TableFrame
      label={label}
      density={density}
      rows={virtual}
      // It has the focus while a row far away is on its way.
      frame={{
        ref: frameRef,
        onKeyDown,
        onFocus(event) {
          onFocus(event);
          anchor.onFocus(event);
        },
        onBlur: anchor.onBlur,
        ...(ticked && { tabIndex: -1 }),
      }}
      headStyle={tracks}
      head={
        <>
          {ticked && <TickAll isAll={rows.every((row) => ticked.ids.has(rowKey(row)))} ticked={ticked} />}
          {columns.map((column) => (
            <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </>
      }
      renderRow={({ index, start, size }) => {
        const row = rows[index];
        return (
          row !== undefined && (
            <TableRow
              key={slots?.get(rowKey(row)) ?? rowKey(row)}
              row={row}
              index={index}
              top={start}
              height={size}
              tracks={tracks}
              columns={columns}
              ticking={ticking}
              isTicked={ticked?.ids.has(rowKey(row)) ?? false}
              isActive={active === null || active === index}
              onOpen={onOpen}
            />
          )
        );
      }}
    />
  );
}

/** The columns that there is room for in so many px. */
function useFitting<Row>({ columns: all, ticking, onFit }: VirtualTableProps<Row>, width: number) {
  const taken = ticking ? TICK_WIDTH : 0;
  // 0 is not measured yet.
  const columns = useMemo(() => {
    const room = width && Math.max(1, width - taken);
    return widenTracks(fitTracks(all, room), room);
  }, [all, width, taken]);
  // As text: the same ones are told once.
  const shown = new Set(columns.map(({ id }) => id));
  const leftOut = JSON.stringify(all.flatMap(({ id }) => (shown.has(id) ? [] : id)));
  const tell = useEffectEvent((ids: readonly string[]) => onFit?.(ids));
  useEffect(() => tell(JSON.parse(leftOut) as readonly string[]), [leftOut]);
  return columns;
}

/** The rows in their order, and what that is. */
function useSorted<Row>({ rows, columns, sort: given, onSort, isSorted = false }: VirtualTableProps<Row>) {
  const [own, setOwn] = useState<Sort | null>(given ?? null);
  const sort = onSort ? (given ?? null) : own;
  const sorted = useMemo(() => {
    const compare = columns.find((column) => column.id === sort?.column)?.compare;
    if (!sort || !compare || isSorted) return rows;
    const direction = sort.descending ? -1 : 1;
    return rows.toSorted((a, b) => direction * compare(a, b));
  }, [rows, columns, sort, isSorted]);
  return { rows: sorted, sort, onSort: onSort ?? setOwn };
}
