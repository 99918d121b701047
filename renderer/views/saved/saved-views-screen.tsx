import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconBookmark, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { View } from '#shared/operations/metadata/views.ts';
import { matches } from '#shared/values/text.ts';
import { parseInstant } from '#shared/values/time.ts';
import { May } from '../../components/work/may.tsx';
import { ask, messageOf } from '../../bridge/ask.ts';
import { at, hrefAt } from '../../bridge/place.ts';
import { Moment } from '../../components/facts/moment.tsx';
import { Empty } from '../../components/screen/empty.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { SearchField } from '../../components/screen/search-field.tsx';
import type { TableColumn } from '../../components/table/column.ts';
import { actionsColumn, nameColumn } from '../../components/table/usual-columns.ts';
import { VirtualTable } from '../../components/table/virtual-table.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { sayUndoable } from '../../components/work/undo-toast.tsx';
import { compareTexts } from '../../order.ts';
import type { Way } from '../../stores/undo/undoable.ts';
import { openDialog } from '../../stores/dialog.ts';
import { views, viewsChanged } from '../../stores/views.ts';
import classes from './saved-views.module.css';

/** Addresses that were saved by name: opened, renamed and deleted here. */
export function SavedViewsScreen() {
  views.useWatch('all');
  const { value, error } = views.useValue('all');
  const [search, setSearch] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const found = useMemo(() => value?.filter(({ name }) => matches(search, name)), [value, search]);
  const columns = useMemo(
    () =>
      columnsOf((view) => {
        setProblem(null);
        deleteView(view).catch((reason: unknown) => setProblem(messageOf(reason)));
      }),
    [],
  );
  return (
    <Screen title="Saved views" description="Screens with all that they showed: tab, keys, span and search.">
      {error !== null && <Problem message={error} onRetry={views.reload} />}
      {problem !== null && <Problem message={problem} />}
      {value?.length === 0 && (
        <Empty icon={IconBookmark} title="No saved views">
          Show what you want to find again, a chart with its keys and span for instance, and press Ctrl S.
        </Empty>
      )}
      {value && value.length > 0 && (
        <SearchField label="Search saved views" value={search} onChange={setSearch} />
      )}
      {value && value.length > 0 && found?.length === 0 && (
        <Text c="dimmed">No saved view matches “{search}”.</Text>
      )}
      {found && found.length > 0 && (
        <VirtualTable label="Saved views" rows={found} columns={columns} rowKey={({ id }) => id} />
      )}
    </Screen>
  );
}

/** Deletes a view and offers to save it again. */
async function deleteView({ id, name, address }: View): Promise<void> {
  await removeView(id);
  sayUndoable('View deleted', name, savingAgain({ name, address }));
}

async function removeView(view_id: string): Promise<void> {
  await ask('views.delete', { view_id });
  viewsChanged();
}

const savingAgain =
  (view: Pick<View, 'name' | 'address'>): Way =>
  async () => {
    const { id } = await ask('views.create', view);
    viewsChanged();
    return {
      back: async () => {
        await removeView(id);
        return { back: savingAgain(view) };
      },
    };
  };

function columnsOf(remove: (view: View) => void): readonly TableColumn<View>[] {
  return [
    nameColumn('minmax(220px, 2fr)', ({ name, address }) => (
      <a href={hrefAt(at, address)} className={classes['name']} title={name} dir="auto">
        {name}
      </a>
    )),
    {
      id: 'created',
      header: 'Saved',
      width: '200px',
      compare: (a, b) => compareTexts(a.created_at, b.created_at),
      cell: ({ created_at }) => <Moment at={parseInstant(created_at) ?? 0} />,
    },
    actionsColumn('92px', (view) => (
      <May to="views.update">
        <Act
          label="Rename"
          of={`${view.name}…`}
          onClick={() => openDialog({ kind: 'save-view', address: view.address, name: view.name, view })}
        >
          <IconPencil size={16} />
        </Act>
        <Act label="Delete" of={view.name} onClick={() => remove(view)}>
          <IconTrash size={16} />
        </Act>
      </May>
    )),
  ];
}

interface ActProps {
  readonly label: string;
  readonly of: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Act({ label, of, onClick, children }: ActProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={`${label} ${of}`} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
