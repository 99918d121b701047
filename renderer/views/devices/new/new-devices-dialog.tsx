import { Alert, Button, FileButton, Group, Modal, Stack, Table, Text, Textarea } from '@mantine/core';
import { useMemo, useState } from 'react';
import { readList, repeatedNames, tokensFile, type ReadList } from '#shared/domain/device-list.ts';
import { fileName } from '#shared/values/file-name.ts';
import type { OutputOf } from '#shared/operations/index.ts';
import { SOURCE_WORDS, type Source } from '#shared/domain/sources.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { DialogFooter } from '../../../components/dialog/dialog-footer.tsx';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { saveFile } from '../../../components/work/save-file.ts';
import { countOf, formatCount, shortened } from '../../../format.ts';
import { devices } from '../../../stores/devices.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { devicesOf } from '../../../stores/found-devices.ts';
import { SourceChoice } from './source-choice.tsx';

type Made = OutputOf<'devices.create-many'>;

const EXAMPLE = `name,tags,brand,model,description
PT-101,line-3;oil,Acme,T10,behind the pump
PT-102,line-3;oil,Acme,T10,`;
/** Rows that are shown before they are made. */
const SHOWN = 50;

/** Many devices from a list: a name a line, or a CSV. All of them are made, or none. */
export function NewDevicesDialog({ project_id }: { readonly project_id: string }) {
  const [text, setText] = useState('');
  const [source, setSource] = useState<Source>('http');
  const [made, setMade] = useState<Made | null>(null);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const list = useMemo(() => readList(text, source), [text, source]);
  const wrong = list.rows.filter(({ problem }) => problem !== null);
  const of = devicesOf(project_id);
  devices.useWatch(of);
  const known = (devices.useValue(of).value ?? []).map(({ name }) => name);
  const submit = useSubmit(async () => {
    const wanted = list.rows.map(({ row }) => ({ ...row, tags: [...(row.tags ?? [])] }));
    setMade(await ask('devices.create-many', { project_id, devices: wanted }));
  });
  if (made) return <MadeDevices made={made} />;

  const open = async (file: File | null) => {
    try {
      if (file) setText(await file.text());
      setUnreadable(null);
    } catch (error) {
      setUnreadable(messageOf(error));
    }
  };
  const count = list.rows.length;
  return (
    <FormDialog
      title="New devices"
      action={count === 0 ? 'Create devices' : `Create ${countOf(count, 'device')}`}
      submit={submit}
      disabled={count === 0 || wrong.length > 0 || list.problem !== null}
      size="xl"
    >
      <Textarea
        label="List"
        description="A name a line, or a CSV with a header: name, description, tags, brand, model, source, interval_s. Tags are separated by ;"
        placeholder={EXAMPLE}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        minRows={6}
        maxRows={10}
        autosize
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        error={unreadable}
        data-autofocus
      />
      <Group justify="space-between">
        <FileButton accept=".csv,.tsv,.txt,text/*" onChange={(file) => void open(file)}>
          {(props) => (
            <Button variant="default" size="xs" {...props}>
              Open a file…
            </Button>
          )}
        </FileButton>
        <Group gap="xs">
          <Text size="sm">Source, where a row names none</Text>
          <SourceChoice value={source} onChange={setSource} />
        </Group>
      </Group>
      <Preview list={list} known={known} />
    </FormDialog>
  );
}

const MOST_NAMES = 5;

function quotedNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => `“${shortened(name, 40)}”`);
  const others = names.length - shown.length;
  return others === 0 ? shown.join(', ') : `${shown.join(', ')} and ${formatCount(others)} more`;
}

/** Preview of the new devices, those with problems first. */
function Preview({
  list: { rows, unknown, problem },
  known,
}: {
  readonly list: ReadList;
  /** Names of the project's devices. */
  readonly known: readonly string[];
}) {
  const wrong = rows.filter((row) => row.problem !== null);
  const shown = [...wrong, ...rows.filter((row) => row.problem === null)].slice(0, SHOWN);
  if (rows.length === 0) return null;
  const isWrong = problem !== null || wrong.length > 0;
  const { twice, there } = repeatedNames(rows, known);
  const isAgain = twice.length > 0 || there.length > 0;
  const words =
    problem ??
    (isWrong
      ? `${countOf(wrong.length, 'line')} of ${formatCount(rows.length)} cannot be taken.`
      : `${countOf(rows.length, 'device')}${isAgain ? '.' : ', nothing wrong.'}`);
  return (
    <Stack gap="xs">
      <Text size="sm" role="status" {...(isWrong && { c: 'var(--mantine-color-error)' })}>
        {words}
        {unknown.length > 0 && ` Not used: ${unknown.map((name) => `“${shortened(name, 40)}”`).join(', ')}.`}
      </Text>
      {isAgain && (
        <Alert color="yellow" variant="light" role="note" p="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {twice.length > 0 && `In the list more than once: ${quotedNames(twice)}. `}
            {there.length > 0 && `There already: ${quotedNames(there)}. `}
            Each line makes a device of its own.
          </Text>
        </Alert>
      )}
      <Table.ScrollContainer minWidth={500} mah={260} tabIndex={0} aria-label="Devices to be made">
        <Table withTableBorder stickyHeader aria-label="Devices to be made" fz="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              <Table.Th>Name</Table.Th>
              <Table.Th>Tags</Table.Th>
              <Table.Th>Brand and model</Table.Th>
              <Table.Th>Source</Table.Th>
              <Table.Th>Description</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ line, row, problem: wrongWith }) => (
              <Table.Tr key={line}>
                <Table.Td>{line}</Table.Td>
                <Table.Td>
                  <bdi>{shortened(row.name, 60)}</bdi>
                  {wrongWith !== null && (
                    <Text size="xs" c="var(--mantine-color-error)">
                      Line {line} {wrongWith}.
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{shortened((row.tags ?? []).join(', '), 60)}</Table.Td>
                <Table.Td>{shortened([row.brand, row.model].filter(Boolean).join(' '), 60)}</Table.Td>
                <Table.Td>{row.source && SOURCE_WORDS[row.source].label}</Table.Td>
                <Table.Td>{shortened(row.description ?? '', 60)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {rows.length > SHOWN && (
        <Text size="xs" c="dimmed">
          The first {SHOWN} of {formatCount(rows.length)}.
        </Text>
      )}
    </Stack>
  );
}

function MadeDevices({ made }: { readonly made: Made }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const save = async () => {
    try {
      setSaved(
        await saveFile(
          fileName('devices-and-tokens', 'csv'),
          new Blob([tokensFile(made)], { type: 'text/csv' }),
        ),
      );
      setProblem(null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Modal opened onClose={closeDialog} title={`${countOf(made.length, 'device')} created`} size="md">
      <Stack gap="sm">
        <Text size="sm">
          Each has an id and a token of its own, with which it stores its readings. They stay readable on the
          devices’ pages; the file has all of them.
        </Text>
        <Alert color="yellow" variant="light" p="sm">
          <Text size="sm">Whoever has the file can store data as these devices.</Text>
        </Alert>
        <Text size="sm" role="status">
          {saved !== null && `Saved as ${saved}.`}
        </Text>
        <DialogFooter problem={problem}>
          <Button variant="default" onClick={closeDialog}>
            Close
          </Button>
          <Button data-autofocus onClick={() => void save()}>
            Save ids and tokens…
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
