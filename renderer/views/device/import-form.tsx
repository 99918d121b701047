import {
  Alert,
  Button,
  Group,
  Input,
  Radio,
  ScrollArea,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import type { InputOf } from '#shared/operations/index.ts';
import type { Inspection } from '#shared/operations/records.ts';
import { Problem } from '../../components/problem.tsx';
import { localZone } from '../../time.ts';

export type ImportChoices = Omit<InputOf<'records.import'>, 'project_id' | 'device_id'>;

interface ImportFormProps {
  readonly inspection: Inspection;
  readonly problem: string | null;
  /** What was chosen before, when an import failed. */
  readonly before: ImportChoices | null;
  readonly onImport: (choices: ImportChoices) => void;
  readonly onCancel: () => void;
}

/** How the file was understood, what can be set right, and its first rows. */
export function ImportForm({ inspection, problem, before, onImport, onCancel }: ImportFormProps) {
  const [timeColumn, setTimeColumn] = useState(firstTimeColumn(inspection, before));
  const [zone, setZone] = useState(before?.zone ?? localZone());
  const [onError, setOnError] = useState<'abort' | 'keep'>(before?.on_error ?? 'abort');
  const [dateOrder, setDateOrder] = useState(before?.date_order ?? 'day-first');
  const needsZone = timeColumn !== RECEIPT && inspection.zone_needed;
  const needsDateOrder = timeColumn === inspection.time_column && inspection.date_order_unsure;
  const isCsv = inspection.format === 'csv';

  function choices(): ImportChoices {
    return {
      format: inspection.format,
      on_error: onError,
      ...(isCsv && inspection.delimiter !== null && { delimiter: delimiterOf(inspection.delimiter) }),
      ...(isCsv && { time_column: timeColumn === RECEIPT ? '' : timeColumn }),
      ...(needsZone && { zone }),
      ...(needsDateOrder && { date_order: dateOrder }),
    };
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onImport(choices());
      }}
    >
      <Stack gap="md">
        {problem !== null && <Problem message={problem} />}
        <Preview inspection={inspection} timeColumn={timeColumn} />
        {inspection.notes.length > 0 && (
          <Alert variant="light" icon={<IconInfoCircle size={18} />} p="sm">
            {inspection.notes.map((note) => (
              <Text size="sm" key={note}>
                {note}
              </Text>
            ))}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {isCsv && (
            <Select
              label="Time column"
              description={inspection.time_format ?? 'None was recognised'}
              data={timeChoices(inspection)}
              value={timeColumn}
              onChange={(value) => setTimeColumn(value ?? RECEIPT)}
              allowDeselect={false}
              searchable
            />
          )}
          {needsZone && (
            <Select
              label="Time zone"
              description="The file’s times carry none. In which were they written?"
              data={ZONES}
              value={zone}
              onChange={(value) => setZone(value ?? localZone())}
              allowDeselect={false}
              searchable
              limit={200}
              nothingFoundMessage="No such zone"
            />
          )}
          {needsDateOrder && (
            <Input.Wrapper
              label="Date order"
              labelElement="div"
              description="The file’s dates can be read either way."
            >
              <SegmentedControl
                fullWidth
                mt={4}
                aria-label="Date order"
                value={dateOrder}
                onChange={setDateOrder}
                data={[
                  { value: 'day-first', label: 'Day first' },
                  { value: 'month-first', label: 'Month first' },
                ]}
              />
            </Input.Wrapper>
          )}
        </SimpleGrid>
        <Radio.Group
          label="If a row cannot be read"
          value={onError}
          onChange={(value) => setOnError(value === 'keep' ? 'keep' : 'abort')}
        >
          <Stack gap={6} mt={6}>
            <Radio value="abort" label="Import nothing, and say which row" />
            <Radio value="keep" label="Skip the row and keep the others" />
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" data-autofocus>
            Import
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Stands for "no time column": no column of a file is called this. */
const RECEIPT = '\u0000';

function firstTimeColumn({ time_column }: Inspection, before: ImportChoices | null): string {
  return (before ? before.time_column : time_column) || RECEIPT;
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

function timeChoices({ columns }: Inspection) {
  return [
    ...columns.map(({ name }) => ({ value: name, label: name || '(no name)' })),
    { value: RECEIPT, label: 'None: the time of the import' },
  ];
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

function delimiterOf(text: string): (typeof DELIMITERS)[number] {
  return DELIMITERS.find((delimiter) => delimiter === text) ?? ',';
}

const ROLES = { time: 'time', 'row-number': 'row number, left out', value: '', empty: 'empty, left out' };

function Preview({
  inspection,
  timeColumn,
}: {
  readonly inspection: Inspection;
  readonly timeColumn: string;
}) {
  return (
    <ScrollArea.Autosize mah={260} type="auto" offsetScrollbars>
      <Table
        withTableBorder
        withColumnBorders
        striped
        stickyHeader
        aria-label="First rows"
        fz="xs"
        className="mono"
      >
        <Table.Thead>
          <Table.Tr>
            {inspection.columns.map(({ name, role, kind }) => {
              const shownRole = name === timeColumn ? 'time' : role === 'time' ? 'value' : role;
              return (
                <Table.Th key={name} style={{ whiteSpace: 'nowrap' }}>
                  {name || '(no name)'}
                  <Text fz={11} c={shownRole === 'time' ? 'petrol' : 'dimmed'} fw={500}>
                    {ROLES[shownRole] || kind}
                  </Text>
                </Table.Th>
              );
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {inspection.rows.map((row, number) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a file may be equal; their place is their identity
            <Table.Tr key={number}>
              {row.map((field, column) => (
                // oxlint-disable-next-line react/no-array-index-key -- likewise
                <Table.Td key={column} style={{ whiteSpace: 'nowrap' }}>
                  {field}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
