import { Button, Group, Text } from '@mantine/core';
import { IconFlag, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Note } from '#shared/operations/metadata/notes.ts';
import { parseInstant } from '#shared/values/time.ts';
import { matches } from '#shared/values/text.ts';
import { viewOf, type ShownView } from '../../../chart/view.ts';
import { useMay } from '../../../bridge/distant.ts';
import { May } from '../../../components/work/may.tsx';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { spanTextOf } from '../../../components/facts/span-words.ts';
import { Empty } from '../../../components/screen/empty.tsx';
import { SearchField } from '../../../components/screen/search-field.tsx';
import type { TableColumn } from '../../../components/table/column.ts';
import { RowAction } from '../../../components/table/row-action.tsx';
import { VirtualTable } from '../../../components/table/virtual-table.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { sayDone } from '../../../components/work/notices.ts';
import { takingBack } from '../../../components/work/undo-edits.ts';
import { sayUndoable } from '../../../components/work/undo-toast.tsx';
import { countOf } from '../../../format.ts';
import { compareNames, compareTexts } from '../../../order.ts';
import { hrefTo, keepAddress } from '../../../router.ts';
import { useCorrections } from '../../../stores/corrections.ts';
import { deviceKey, type DeviceDetail } from '../../../stores/devices.ts';
import { editOfNote } from '../../../stores/undo/edits.ts';
import { openDialog } from '../../../stores/dialog.ts';
import { notes } from '../../../stores/notes.ts';
import { nowMicros, type Zone } from '../../../time.ts';
import type { DeviceShown, ListShown } from '../device-address.ts';
import { ViewLine } from '../corrections/view-line.tsx';
import { editOf, readNote } from './note-dialog.tsx';
import classes from './notes-panel.module.css';
import { Loading } from '../../../components/work/loading.tsx';

interface NotesPanelProps extends Pick<DeviceShown, 'chart'> {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  readonly list: ListShown;
  readonly shown: ShownView;
}

/** Notes on the device's records, each with the way to its place in the chart. */
export function NotesPanel({
  project_id,
  detail: { device, summary },
  chart,
  list,
  shown: view,
}: NotesPanelProps) {
  const device_id = device.id;
  const of = deviceKey(project_id, device_id, viewOf(view));
  // Only where a clock was put right they stand elsewhere in another view.
  const isMoved = useCorrections(project_id, device_id).list.some(({ kind }) => kind === 'time');
  notes.useWatch(of);
  const { value, error } = notes.useValue(of);
  const [search, setSearch] = useState(list.find ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const shown = useMemo(
    () => (value ?? []).filter(({ text, author }) => matches(search, text, author)),
    [value, search],
  );
  const mayEdit = useMay('notes.update', 'notes.delete');
  const columns = useMemo(() => {
    const at = { screen: 'device', project_id, device_id, tab: 'chart' } as const;
    const hrefOf = (note: Note) => hrefTo({ ...at, chart: { ...chart, window: windowOf(note) } });
    const remove = (note: Note) => {
      setProblem(null);
      deleteNote(project_id, note).catch((reason: unknown) => setProblem(messageOf(reason)));
    };
    const edit = (note: Note) =>
      openDialog({ kind: 'note', project_id, device_id, ...editOf(note, viewOf(view)) });
    const all = noteColumns(hrefOf, edit, remove, chart?.zone ?? 'local');
    return mayEdit ? all : all.filter(({ id }) => id !== 'actions');
  }, [project_id, device_id, chart, view, mayEdit]);

  const add = () => {
    const start = summary.last === null ? nowMicros() : (parseInstant(summary.last) ?? nowMicros());
    openDialog({ kind: 'note', project_id, device_id, start, end: null, view: viewOf(view) });
  };
  if (error !== null && !value) return <Problem message={error} onRetry={notes.reload} />;
  if (!value) return <Loading flex={1} label="Loading the notes" />;
  if (value.length === 0)
    return (
      <Empty
        icon={IconFlag}
        title="No notes"
        action={
          <May to="notes.create">
            <Button leftSection={<IconPlus size={16} />} onClick={add}>
              New note…
            </Button>
          </May>
        }
      >
        A note says what happened at a time or in a span: select one in the chart, or write one here. It shows
        as a flag on the time axis, in pictures and in exports.
      </Empty>
    );
  return (
    <>
      {error !== null && <Problem message={error} onRetry={notes.reload} />}
      {problem !== null && <Problem message={problem} />}
      {isMoved && (
        <ViewLine {...{ project_id, device_id }} shown={view} zone={chart?.zone ?? 'local'} isChosen />
      )}
      <Group gap="sm">
        <SearchField
          label="Search notes"
          value={search}
          onChange={(next) => {
            setSearch(next);
            const at = {
              screen: 'device',
              project_id,
              device_id,
              tab: 'notes',
              ...(chart && { chart }),
            } as const;
            keepAddress({ ...at, ...(next !== '' && { list: { find: next } }) });
          }}
        />
        <Text size="sm" c="dimmed" role="status">
          {shown.length === value.length
            ? countOf(value.length, 'note')
            : `${shown.length} of ${countOf(value.length, 'note')}`}
        </Text>
        <May to="notes.create">
          <Button ml="auto" variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
            New note…
          </Button>
        </May>
      </Group>
      {shown.length === 0 && <Text c="dimmed">No note matches “{search}”.</Text>}
      {shown.length > 0 && (
        <VirtualTable label="Notes" rows={shown} columns={columns} rowKey={({ id }) => id} />
      )}
    </>
  );
}

/** Around an instant there is this much to see, µs; around a span a tenth of it on each side. */
const AROUND_US = 30 * 60e6;

function windowOf({ start, end }: Note): { readonly from: number; readonly to: number } {
  const from = parseInstant(start) ?? 0;
  const to = (end === null ? null : parseInstant(end)) ?? from;
  const margin = to > from ? Math.ceil((to - from) / 10) : AROUND_US;
  return { from: from - margin, to: to + margin };
}

/** Deletes a note and offers to write it again, at the time that was kept. */
async function deleteNote(project_id: string, note: Note): Promise<void> {
  const { device_id, text } = note;
  const kept = await readNote(project_id, note);
  await ask('notes.delete', { project_id, device_id, note_id: note.id });
  const edited = editOfNote(kept, null);
  const way = edited && takingBack(project_id, edited.edits);
  if (way) sayUndoable('Note deleted', text, way);
  else sayDone('Note deleted', text);
}

function noteColumns(
  hrefOf: (note: Note) => string,
  edit: (note: Note) => void,
  remove: (note: Note) => void,
  zone: Zone,
): readonly TableColumn<Note>[] {
  return [
    {
      id: 'time',
      header: 'Time',
      // A span over midnight, with its zone, is whole before the text gets more.
      width: 'minmax(350px, 440px)',
      compare: (a, b) => compareTexts(a.start, b.start),
      cell: (note) => (
        <a
          href={hrefOf(note)}
          className={classes['time']}
          title={note.end === null ? note.start : `${note.start} – ${note.end}`}
        >
          {spanTextOf(note.start, note.end, zone)}
        </a>
      ),
    },
    {
      id: 'text',
      header: 'Note',
      width: 'minmax(200px, 2fr)',
      compare: (a, b) => compareNames(a.text, b.text),
      cell: ({ text }) => (
        <span title={text} dir="auto">
          {text}
        </span>
      ),
    },
    {
      id: 'author',
      header: 'By',
      width: '120px',
      rank: 1,
      compare: (a, b) => compareNames(a.author, b.author),
      cell: ({ author }) => (
        <Text inherit span c="dimmed" title={author}>
          {author}
        </Text>
      ),
    },
    {
      id: 'actions',
      header: '',
      width: '92px',
      align: 'end',
      cell: (note) => (
        <>
          <RowAction
            label={`Edit the note of ${spanTextOf(note.start, note.end, zone)}…`}
            onClick={() => edit(note)}
          >
            <IconPencil size={16} />
          </RowAction>
          <RowAction
            label={`Delete the note of ${spanTextOf(note.start, note.end, zone)}`}
            onClick={() => remove(note)}
          >
            <IconTrash size={16} />
          </RowAction>
        </>
      ),
    },
  ];
}
