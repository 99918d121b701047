import { Alert, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { SearchSelect } from '../../components/dialog/search-select.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { WorkProgress } from '../../components/work/work-progress.tsx';
import { countOf, formatBytes } from '../../format.ts';
import { clockChange } from '../../import/clock-change.ts';
import { ColumnTable } from '../../import/column-table.tsx';
import {
  changeItem,
  choose,
  nameAfter,
  setTarget,
  readAllLike,
  type FileItem,
} from '../../import/file-items.ts';
import { Doubts } from '../../import/doubts.tsx';
import { ImportControls } from '../../import/import-controls.tsx';
import { ImportPreview } from '../../import/import-preview.tsx';
import { goTo } from '../../router.ts';
import { ClockQuestion } from './clock-question.tsx';
import { FileOutcome, FileReport } from './file-report.tsx';
import { Loading } from '../../components/work/loading.tsx';

interface FilePanelProps {
  readonly project_id: string;
  readonly item: FileItem;
  readonly devices: readonly FoundDevice[];
  /** Other files with the same columns. */
  readonly alike: number;
}

/** Stands for "a new device": no device has this id. */
const NEW = '';
const MOST_DEVICES = 50;

/** The chosen file: where it goes, how it is read, and what it holds. */
export function FilePanel({ project_id, item, devices, alike }: FilePanelProps) {
  const { id, state, inspected, target } = item;
  const open = (device_id: string) => goTo({ screen: 'device', project_id, device_id, tab: 'chart' });
  if (state.name === 'inspecting') return <Loading h={260} label="Reading the file" />;
  if (state.name === 'unreadable') return <Problem message={state.problem} />;
  if (state.name === 'done') return <FileOutcome item={item} onOpen={open} />;
  if (inspected === null) return null;
  if (state.name === 'importing')
    return state.taken === null ? (
      <Group gap="sm" role="status">
        <Text size="sm">It waits for the files before it.</Text>
        <Button size="compact-sm" variant="default" onClick={state.cancel}>
          Cancel
        </Button>
      </Group>
    ) : (
      <WorkProgress
        label={state.taken < item.file.size ? 'Importing' : 'Storing the last records'}
        done={state.taken}
        total={item.file.size}
        format={formatBytes}
        onCancel={state.cancel}
      />
    );
  const { inspection, choices } = inspected;
  const clock = clockChange(inspection, choices.zone);
  return (
    <Stack gap="md">
      <Group gap="sm" align="end">
        <SearchSelect
          label="Into"
          data={[
            { value: NEW, label: 'A new device' },
            ...devices.map((device) => ({ value: device.id, label: device.name })),
          ]}
          value={target.kind === 'device' ? target.device_id : NEW}
          onChange={(value) =>
            setTarget(
              project_id,
              id,
              value ? { kind: 'device', device_id: value } : { kind: 'new', name: nameAfter(item.file) },
            )
          }
          limit={MOST_DEVICES}
          nothingFoundMessage="No such device"
          allowDeselect={false}
          w={260}
        />
        {target.kind === 'new' && (
          <TextInput
            label="Its name"
            description={
              devices.some(({ name }) => name === target.name.trim()) &&
              'There is one of this name: to add to it, choose it on the left.'
            }
            value={target.name}
            maxLength={100}
            onChange={(event) =>
              changeItem(project_id, id, { target: { kind: 'new', name: event.currentTarget.value } })
            }
            error={target.name.trim() === '' && 'A device needs a name.'}
            w={260}
          />
        )}
        {alike > 0 && (
          <Button variant="light" onClick={() => readAllLike(project_id, item)}>
            Use for all {alike + 1}
          </Button>
        )}
      </Group>
      {state.problem !== null && <Problem message={state.problem} />}
      {inspection.problem !== null && state.problem === null && <Problem message={inspection.problem} />}
      {choices.time_column === '' && (
        <Alert variant="light" color="yellow" role="note" icon={<IconAlertTriangle size={18} />} p="sm">
          Every row gets the time of the import: all of them will lie at one instant.
        </Alert>
      )}
      {clock && (
        <ClockQuestion
          item={item}
          inspected={inspected}
          doubt={clock}
          onChange={(changed) => void choose(project_id, id, changed)}
        />
      )}
      <Doubts
        doubts={inspection.doubts.filter((doubt) => doubt !== clock)}
        choices={choices}
        onChange={(changed) => void choose(project_id, id, changed)}
      />
      {inspection.problem === null && <FileReport project_id={project_id} item={item} />}
      <ImportControls
        inspection={inspection}
        choices={choices}
        all={inspection.problem_with === 'rows' || state.problem !== null}
        onChange={(changed) => void choose(project_id, id, changed)}
      />
      {inspection.format === 'csv' && (
        <ColumnTable
          item={item}
          onChange={(changed) => void choose(project_id, id, changed)}
          onUnit={(column, unit) => changeItem(project_id, id, { units: { ...item.units, [column]: unit } })}
        />
      )}
      <ImportPreview inspection={inspection} />
      <Notes lines={inspection.notes} />
      <Radio.Group
        label="If a row cannot be read"
        value={choices.on_error ?? 'abort'}
        onChange={(value) =>
          void choose(project_id, id, { ...choices, on_error: value === 'keep' ? 'keep' : 'abort' })
        }
      >
        <Group gap="lg" mt={6}>
          <Radio value="abort" label="Import nothing, and say which row" />
          <Radio value="keep" label="Skip the row and keep the others" />
        </Group>
      </Radio.Group>
    </Stack>
  );
}

function Notes({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details>
      <summary>{countOf(lines.length, 'note')} on how it is read</summary>
      {lines.map((line) => (
        <Text size="sm" c="dimmed" key={line} style={{ overflowWrap: 'anywhere' }}>
          {line}
        </Text>
      ))}
    </details>
  );
}
