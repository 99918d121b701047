import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { memo } from 'react';
import type { Sort, TableColumn } from './column.ts';
import classes from './table.module.css';

interface HeaderCellProps<Row> {
  readonly column: TableColumn<Row>;
  readonly sort: Sort | null;
  readonly onSort: (sort: Sort) => void;
}

function OwnCell<Row>({
  column: { id, header, align, compare, greatestFirst = false, note, about, menu },
  sort,
  onSort,
}: HeaderCellProps<Row>) {
  const isActive = sort?.column === id;
  const descending = isActive && sort.descending;
  const Arrow = descending ? IconArrowDown : IconArrowUp;
  const name = <bdi className={classes['name']}>{header}</bdi>;
  const label =
    header === '' ? (
      <VisuallyHidden>Actions</VisuallyHidden>
    ) : compare ? (
      <UnstyledButton
        className={classes['sort'] ?? ''}
        onClick={() => onSort({ column: id, descending: isActive ? !descending : greatestFirst })}
      >
        {name}
        {isActive && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    ) : (
      name
    );
  return (
    <div
      role="columnheader"
      className={classes['cell']}
      data-align={align}
      data-menu={menu !== undefined}
      title={about ?? (header || undefined)}
      aria-sort={isActive ? (descending ? 'descending' : 'ascending') : undefined}
    >
      {menu === undefined ? (
        label
      ) : (
        <span className={classes['headed']}>
          {label}
          {menu}
        </span>
      )}
      {note !== undefined && <bdi className={classes['note']}>{note}</bdi>}
    </div>
  );
}

/** The name of a column; a press orders the rows by it, another one the other way. `memo` would forget what a row is. */
export const HeaderCell = memo(OwnCell) as typeof OwnCell;
