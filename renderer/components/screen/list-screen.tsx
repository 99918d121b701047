import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import type { Resource } from '../../stores/resource.ts';
import { Problem } from '../work/problem.tsx';
import type { ListShown } from './list-shown.ts';
import { Screen } from './screen.tsx';
import { SearchField } from './search-field.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import type { TableColumn } from '../table/column.ts';
import { VirtualTable } from '../table/virtual-table.tsx';
import { Loading } from '../work/loading.tsx';

interface ListScreenProps<Row> {
  readonly title: string;
  /** Noun of a row, as in "New device"; with an "s" it names many. */
  readonly noun: string;
  readonly description?: ReactNode;
  /** Actions on the subject of the list. */
  readonly actions?: ReactNode;
  /** Search and order, of the address. */
  readonly shown: ListShown;
  readonly onShow: (change: ListShown) => void;
  readonly list: Resource<readonly Row[]>;
  readonly onRetry: () => void;
  /** Absent where rows come by themselves. */
  readonly onNew?: () => void;
  readonly onOpen?: (row: Row) => void;
  /** Made once: a long list is searched anew for another one. */
  readonly isFound: (search: string, row: Row) => boolean;
  readonly columns: readonly TableColumn<Row>[];
  /** Instead of a table without rows; absent where there is always one. */
  readonly empty?: ReactNode;
}

/**
 * A screen that is a list. The search and the way to a new row stand right above the table, on every such screen in the
 * same place; the row of the title is left to what the list belongs to.
 */
export function ListScreen<Row extends { readonly id: string }>({
  title,
  noun,
  shown: { find: search = '', sort },
  onShow,
  list: { value, error },
  isFound,
  ...props
}: ListScreenProps<Row>) {
  useShortcuts(props.onNew ? { n: props.onNew } : {});
  const found = useMemo(() => value?.filter((row) => isFound(search, row)), [value, search, isFound]);
  const many = `${noun}s`;
  return (
    // The line below the title stays while there is nothing to say in it: what stands below moves for nothing.
    <Screen title={title} description={props.description || '\u00a0'} actions={props.actions}>
      {error !== null && <Problem message={error} onRetry={props.onRetry} />}
      {(value !== null || error === null) && (
        <Group justify="space-between">
          <SearchField label={`Search ${many}`} value={search} onChange={(find) => onShow({ find })} />
          {props.onNew && (
            <Button leftSection={<IconPlus size={16} />} onClick={props.onNew}>
              New {noun}
            </Button>
          )}
        </Group>
      )}
      {value === null && error === null && <Loading h={220} label={`Loading ${many}`} />}
      {value?.length === 0 && props.empty}
      {value && value.length > 0 && found?.length === 0 && (
        <Text c="dimmed">
          No {noun} matches “{search}”.
        </Text>
      )}
      {found && found.length > 0 && (
        <VirtualTable
          label={many.charAt(0).toUpperCase() + many.slice(1)}
          rows={found}
          columns={props.columns}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={(next) => onShow({ sort: next })}
          {...(props.onOpen && { onOpen: props.onOpen })}
        />
      )}
    </Screen>
  );
}
