import { Alert, Button, Group, Radio, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { Inspection } from '#shared/operations/records/records.ts';
import { Loading } from '../../components/work/loading.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { WorkProgress } from '../../components/work/work-progress.tsx';
import { countOf, formatBytes, shortened } from '../../format.ts';
import { doubtsOfFile } from '../../import/clock-change.ts';
import { Doubts } from '../../import/doubts.tsx';
import { encodingWords } from '../../import/encoding-words.ts';
import { curvesOf, FileChart } from '../../import/file-chart.tsx';
import type { FileItem } from '../../import/files/file-items.ts';
import { choose, enter } from '../../import/files/look-at-files.ts';
import type { ImportChoices } from '../../import/import-choices.ts';
import { ORDER_LABELS } from '../../import/import-options.ts';
import { ReadingLine } from '../../import/reading-line.tsx';
import { RowsTable } from '../../import/rows-table.tsx';
import { goTo } from '../../router.ts';
import { screenWords } from '../../bridge/screen-words.ts';
import { LOOK } from '../../stores/picked-files.ts';
import { ClockQuestion } from './clock-question.tsx';
import { FilePlace } from './file-place.tsx';
import { FileOutcome, FileReport, SaidAlone, type Said } from './file-report.tsx';
import classes from './import-screen.module.css';
import { KindLine } from './kind-line.tsx';

interface FilePanelProps {
  readonly project_id: string;
  readonly item: FileItem;
  /** All files on the screen. */
  readonly items: readonly FileItem[];
  readonly devices: readonly FoundDevice[];
}

/** The chosen file: where it goes, how it is read, and what it holds. */
export function FilePanel({ project_id, item, items, devices }: FilePanelProps) {
  const { id, state, inspected } = item;
  // Where nobody has said yet what a file is, it is looked at first.
  const [isChartOpen, setChartOpen] = useState(project_id === LOOK);
  const open = (device_id: string) => goTo({ screen: 'device', project_id, device_id, tab: 'chart' });
  if (state.name === 'inspecting') return <Loading h={260} label="Reading the file" />;
  if (state.name === 'unreadable') return <Problem message={state.problem} />;
  if (state.name === 'done') return <FileOutcome item={item} onOpen={open} />;
  if (inspected === null) return null;
  if (state.name === 'importing') return <Importing item={item} />;
  const { inspection, choices } = inspected;
  const { clock, others } = doubtsOfFile(inspection, choices.zone);
  const change = (changed: ImportChoices) => void choose(project_id, id, changed);
  const encoding = encodingWords(inspection);
  const told = item.told !== null && choices.date_order === item.told.order ? item.told : null;
  const said: Said[] = [
    ...(encoding === null ? [] : [{ name: 'encoding', words: encoding }]),
    ...(told === null ? [] : [{ name: 'told', words: toldWords(told) }]),
  ];
  const chart = curvesOf(item).length > 0 && (
    <Button
      size="compact-xs"
      variant={isChartOpen ? 'light' : 'default'}
      aria-expanded={isChartOpen}
      onClick={() => setChartOpen(!isChartOpen)}
    >
      Chart of the file
    </Button>
  );
  return (
    <>
      <div className={classes['fixed']}>
        <FilePlace project_id={project_id} item={item} items={items} devices={devices} />
        <ReadingLine inspection={inspection} choices={choices} onChange={change} />
        <KindLine project_id={project_id} item={item} items={items} />
      </div>
      <div className={classes['rest']}>
        {state.problem !== null && <Problem message={state.problem} />}
        {inspection.problem !== null && state.problem === null && (
          <Problem message={screenWords(inspection.problem)} />
        )}
        <UnnamedColumn inspection={inspection} choices={choices} onChange={change} />
        {choices.time_column === '' && (
          <Alert variant="light" color="yellow" role="note" icon={<IconAlertTriangle size={18} />} p="sm">
            Every row gets the time of the import: all of them will lie at one instant.
          </Alert>
        )}
        {clock && <ClockQuestion item={item} inspected={inspected} doubt={clock} onChange={change} />}
        <Doubts doubts={others} choices={choices} onChange={change} />
        {inspection.problem === null ? (
          <FileReport project_id={project_id} item={item} said={said} action={chart} />
        ) : (
          <SaidAlone said={said} />
        )}
        <BadRows item={item} choices={choices} onChange={change} />
        {isChartOpen && <FileChart item={item} />}
        <RowsTable
          item={item}
          inspection={inspection}
          choices={choices}
          onChange={change}
          onUnit={(column, unit) => enter(project_id, id, { units: { ...item.units, [column]: unit } })}
        />
        {inspection.format === 'csv' && (
          <MissingWords inspection={inspection} choices={choices} onChange={change} />
        )}
        <Notes lines={inspection.notes} />
      </div>
    </>
  );
}

const toldWords = ({ order, by }: NonNullable<FileItem['told']>) =>
  `${ORDER_LABELS[order]}, as in “${shortened(by)}”: its dates can be read in no other order.`;

function Importing({ item: { state, file } }: { readonly item: FileItem }) {
  if (state.name !== 'importing') return null;
  if (state.taken === null)
    return (
      <Group gap="sm" role="status">
        <Text size="sm">It waits for the files before it.</Text>
        <Button size="compact-sm" variant="default" onClick={state.cancel}>
          Cancel
        </Button>
      </Group>
    );
  return (
    <WorkProgress
      label={state.taken < file.size ? 'Importing' : 'Storing the last records'}
      done={state.taken}
      total={file.size}
      format={formatBytes}
      onCancel={state.cancel}
    />
  );
}

interface AskedProps {
  readonly choices: ImportChoices;
  readonly onChange: (choices: ImportChoices) => void;
}

/** What becomes of rows that cannot be read, as soon as there is one. */
function BadRows({
  item: { report, state, inspected },
  choices,
  onChange,
}: AskedProps & { readonly item: FileItem }) {
  const found = report.state === 'read' ? report.found.unreadable : (inspected?.inspection.unreadable ?? 0);
  const hasFailed = state.name === 'choosing' && state.problem !== null;
  if (inspected?.inspection.problem !== null) return null;
  if (found === 0 && !hasFailed && choices.on_error === undefined) return null;
  return (
    <Radio.Group
      aria-label="If a row cannot be read"
      value={choices.on_error ?? 'abort'}
      onChange={(value) => onChange({ ...choices, on_error: value === 'keep' ? 'keep' : 'abort' })}
    >
      <Group gap="lg">
        <Radio size="xs" value="abort" label="Import nothing, and say which row" />
        <Radio size="xs" value="keep" label="Skip the row and keep the others" />
      </Group>
    </Radio.Group>
  );
}

/** Which column has no name, where rows have more fields than there are names. */
function UnnamedColumn({ inspection, choices, onChange }: AskedProps & { readonly inspection: Inspection }) {
  if (inspection.problem_with !== 'unnamed_column' && choices.unnamed_column === undefined) return null;
  return (
    <Group gap="xs">
      <Text size="sm">The column without a name is</Text>
      <SegmentedControl
        size="xs"
        aria-label="Column without a name"
        value={choices.unnamed_column ?? ''}
        onChange={(chosen) => onChange({ ...choices, unnamed_column: chosen === 'first' ? 'first' : 'last' })}
        data={[
          { value: 'first', label: 'the first' },
          { value: 'last', label: 'the last' },
        ]}
      />
    </Group>
  );
}

/** Words of a file that are listed. */
const MOST_WORDS = 8;

function MissingWords({ inspection, choices, onChange }: AskedProps & { readonly inspection: Inspection }) {
  // How the service calls all words that it knows: others are added to them.
  const words = choices.missing_words ?? 'known';
  const { missing_words: held } = inspection;
  const here = held.length === 0 ? '' : `, here ${held.slice(0, MOST_WORDS).join(', ')}`;
  return (
    <TextInput
      size="xs"
      label="Words for missing values"
      description={`Fields that hold one of these are left out. Separated by commas; “known” are the usual ones${here}.`}
      key={words}
      defaultValue={words.replaceAll(',', ', ')}
      placeholder="known, ---, -999"
      onBlur={(event) => {
        const typed = event.currentTarget.value.split(',').map((word) => word.trim());
        const missing_words = typed.filter((word) => word !== '').join(',');
        if (missing_words !== words) onChange({ ...choices, missing_words });
      }}
      maw={420}
    />
  );
}

function Notes({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details>
      <summary className={classes['fold']}>{countOf(lines.length, 'note')} on how it is read</summary>
      {lines.map((line) => (
        <Text size="sm" c="dimmed" key={line} style={{ overflowWrap: 'anywhere' }}>
          {screenWords(line)}
        </Text>
      ))}
    </details>
  );
}
