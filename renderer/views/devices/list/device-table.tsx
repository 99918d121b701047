import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { columnVisibilityFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useImperativeHandle, useMemo, useRef, type Ref } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { CHOICES, type DeviceColumn } from './device-columns.tsx';
import { DeviceRow } from './device-row.tsx';
import classes from './device-table.module.css';
import type { ListSort } from './devices-address.ts';
import { columnsIn, tracksOf } from './list-columns.ts';
import { useRowKeys } from './use-row-keys.ts';
import type { Ticked } from './use-ticked.ts';

const ROW_HEIGHT = 36;
const HEAD_HEIGHT = 34;

const features = tableFeatures({ columnVisibilityFeature });
type DeviceTableFeatures = typeof features;

export interface DeviceTableHandle {
  /** Gives a row the focus, wherever it is. */
  readonly focusRow: (index: number) => void;
}

interface DeviceTableProps {
  readonly project_id: string;
  /** In their order. */
  readonly rows: readonly FoundDevice[];
  /** Those that are chosen; as many show as there is room for. */
  readonly columns: readonly DeviceColumn[];
  /** Hears which choices of the menu are left out for want of room, by those that are not. */
  readonly onFit: (choices: ReadonlySet<string>) => void;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
  readonly ticked: Ticked;
  readonly onOpen: (device: FoundDevice) => void;
  /** Goes up from the first row. */
  readonly onLeave: () => void;
  readonly ref: Ref<DeviceTableHandle>;
}

/** The devices as rows of one height, of which those in sight are in the document. */
export function DeviceTable(props: DeviceTableProps) {
  const { rows, columns, onFit, sort, onSort, ticked } = props;
  const { ref: sized, width } = useElementSize();
  const frame = useRef<HTMLDivElement>(null);
  const frameRef = useMergedRef(sized, frame);
  const shown = useMemo(() => columnsIn(columns, width), [columns, width]);
  const left = columns.filter((column) => !shown.includes(column)).map(({ id }) => id);
  const leftOut = left.join();
  const tell = useEffectEvent(() => {
    // Of several keys one that is left out is no reason to say that there are no values.
    onFit(new Set(CHOICES.map(({ id }) => id).filter((id) => !left.includes(id))));
  });
  useEffect(() => tell(), [leftOut]);
  const defs = useMemo(
    () => columns.map(({ id, header }): ColumnDef<DeviceTableFeatures, FoundDevice> => ({ id, header })),
    [columns],
  );
  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map((column) => [column.id, shown.includes(column)])),
    [columns, shown],
  );
  // oxlint-disable-next-line react/incompatible-library -- only matters to the React compiler, which is not used
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    // Each of them costs half a millisecond of every key that is pressed.
    overscan: 4,
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1];
  // The table is told of what is in sight alone: thousands of rows of its own for each key that is pressed would be felt.
  const data = useMemo(() => rows.slice(first, last + 1), [rows, first, last]);
  const table = useTable<DeviceTableFeatures, FoundDevice>({
    features,
    data,
    columns: defs,
    getRowId: ({ id }) => id,
    state: { columnVisibility },
  });
  const keys = useRowKeys({
    frame,
    count: rows.length,
    ticked,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
    onLeave: props.onLeave,
  });
  useImperativeHandle(props.ref, () => ({ focusRow: keys.goTo }));
  const byId = new Map(columns.map((column) => [column.id, column]));
  const tracks = { gridTemplateColumns: tracksOf(shown) };
  const isAll =
    rows.length > 0 && ticked.ids.size >= rows.length && rows.every(({ id }) => ticked.ids.has(id));

  return (
    <div
      className={classes['frame']}
      ref={frameRef}
      tabIndex={-1}
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
    >
      <div role="table" aria-label="Devices" aria-rowcount={rows.length + 1}>
        <div role="rowgroup" className={classes['head']} style={{ height: HEAD_HEIGHT }}>
          <div role="row" aria-rowindex={1} className={classes['row']} style={tracks}>
            <div role="columnheader" aria-label="Selected" className={classes['tick']}>
              <input
                type="checkbox"
                aria-label="Select all"
                checked={isAll}
                ref={(box) => {
                  if (box) box.indeterminate = !isAll && ticked.ids.size > 0;
                }}
                onChange={isAll ? ticked.none : ticked.all}
              />
            </div>
            {table.getHeaderGroups()[0]?.headers.map(({ id, column }) => {
              const own = byId.get(column.id);
              return own && <HeaderCell key={id} column={own} sort={sort} onSort={onSort} />;
            })}
            <div role="columnheader">
              <VisuallyHidden>Actions</VisuallyHidden>
            </div>
          </div>
        </div>
        <div role="rowgroup" className={classes['body']} style={{ height: virtualizer.getTotalSize() }}>
          {table.getRowModel().rows.map((row, at) => (
            <DeviceRow
              key={row.id}
              project_id={props.project_id}
              device={row.original}
              index={first + at}
              top={(first + at) * ROW_HEIGHT}
              height={ROW_HEIGHT}
              tracks={tracks.gridTemplateColumns}
              columns={shown}
              isTicked={ticked.ids.has(row.id)}
              isActive={keys.active === first + at}
              ticked={ticked}
              onOpen={props.onOpen}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface HeaderCellProps {
  readonly column: DeviceColumn;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
}

function HeaderCell({ column, sort, onSort }: HeaderCellProps) {
  const active = sort.column === column.id;
  const descending = active && sort.descending;
  const Arrow = descending ? IconArrowDown : IconArrowUp;
  return (
    <div
      role="columnheader"
      className={classes['cell']}
      data-align={column.align}
      title={column.header}
      aria-sort={active ? (descending ? 'descending' : 'ascending') : undefined}
    >
      {column.compare ? (
        <UnstyledButton
          className={classes['sort'] ?? ''}
          onClick={() => onSort({ column: column.id, descending: active && !descending })}
        >
          <bdi className={classes['header']}>{column.header}</bdi>
          {active && <Arrow size={14} aria-hidden />}
        </UnstyledButton>
      ) : (
        <bdi className={classes['header']}>{column.header}</bdi>
      )}
    </div>
  );
}
