import { Button, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { parseInstant } from '#shared/values/time.ts';
import { matches } from '#shared/values/text.ts';
import { May } from '../../components/work/may.tsx';
import { Moment } from '../../components/facts/moment.tsx';
import { Empty } from '../../components/screen/empty.tsx';
import { ListScreen } from '../../components/screen/list-screen.tsx';
import type { ListShown } from '../../components/screen/list-shown.ts';
import { useListShown } from '../../components/screen/use-list-shown.ts';
import type { TableColumn } from '../../components/table/column.ts';
import { actionsColumn } from '../../components/table/usual-columns.ts';
import { formatBytes } from '../../format.ts';
import { compareNames, compareTexts } from '../../order.ts';
import { openDialog } from '../../stores/dialog.ts';
import { keptDeletes, type KeptDelete } from '../../stores/undo/kept-deletes.ts';
import { restoreDelete } from '../../components/work/restore-delete.ts';
import { countWords, whatWords } from '../../components/facts/deleted-words.ts';

const isFound = (search: string, kept: KeptDelete) =>
  matches(search, `${kept.name} ${whatWords(kept)} ${kept.author}`);

/** Screen of soft deletes. */
export function DeletedScreen(told: ListShown) {
  const [shown, show] = useListShown('deleted', told);
  keptDeletes.useWatch('all');
  return (
    <ListScreen
      title="Recently deleted"
      noun="delete"
      description="Everything comes back as it was: records, tokens, settings and notes. When its time is up it is removed for good, earlier only where the disk is nearly full."
      shown={shown}
      onShow={show}
      list={keptDeletes.useValue('all')}
      onRetry={keptDeletes.reload}
      isFound={isFound}
      columns={COLUMNS}
      empty={
        <Empty icon={IconTrash} title="Nothing was deleted lately">
          Projects, devices and records that you delete wait here and can be restored.
        </Empty>
      }
    />
  );
}

const at = (text: string) => parseInstant(text) ?? 0;

const COLUMNS: readonly TableColumn<KeptDelete>[] = [
  {
    id: 'what',
    header: 'What',
    width: 'minmax(150px, 2fr)',
    compare: (a, b) => compareNames(a.name, b.name),
    cell: (kept) => <TwoLines first={kept.name} second={whatWords(kept)} strong />,
  },
  {
    id: 'size',
    header: 'Size',
    width: 'minmax(130px, 1fr)',
    rank: 1,
    align: 'end',
    compare: (a, b) => a.bytes - b.bytes || a.deleted.records - b.deleted.records,
    cell: (kept) => <TwoLines first={countWords(kept)} second={formatBytes(kept.bytes)} />,
  },
  {
    id: 'deleted',
    header: 'Deleted',
    width: 'minmax(120px, 1fr)',
    compare: (a, b) => compareTexts(a.deleted_at, b.deleted_at),
    cell: ({ deleted_at, author }) => (
      <TwoLines
        first={<Moment at={at(deleted_at)} relative />}
        second={author === 'app' ? 'in the app' : `by ${author}`}
      />
    ),
  },
  {
    id: 'until',
    header: 'Until',
    width: '112px',
    rank: 2,
    compare: (a, b) => compareTexts(a.until, b.until),
    cell: ({ until }) => <Moment at={at(until)} day />,
  },
  actionsColumn('272px', (kept) => <Actions kept={kept} />),
];

function TwoLines({
  first,
  second,
  strong = false,
}: {
  readonly first: ReactNode;
  readonly second: string;
  readonly strong?: boolean;
}) {
  return (
    <>
      <Text component="div" size="sm" lh={1.3} truncate {...(strong && { fw: 500 })}>
        {first}
      </Text>
      <Text component="div" size="xs" c="dimmed" lh={1.2} truncate title={second}>
        {second}
      </Text>
    </>
  );
}

function Actions({ kept }: { readonly kept: KeptDelete }) {
  const { value } = keptDeletes.useValue('all');
  const first = value?.find(({ id }) => id === kept.waits_for);
  return (
    <Group gap={6} wrap="nowrap" justify="end">
      {first ? (
        <Text span size="xs" c="dimmed" title={`“${first.name}” is deleted, too: restore it first.`}>
          after “{first.name}”
        </Text>
      ) : (
        <May to="undo.restore">
          <Button
            size="compact-sm"
            variant="light"
            aria-label={`Restore ${kept.name}`}
            onClick={() => void restoreDelete(kept)}
          >
            Restore
          </Button>
        </May>
      )}
      <May to="undo.discard">
        <Button
          size="compact-sm"
          variant="subtle"
          color="danger"
          aria-label={`Delete for good… ${kept.name}`}
          onClick={() => openDialog({ kind: 'discard-delete', kept })}
        >
          Delete for good…
        </Button>
      </May>
    </Group>
  );
}
