import { Checkbox, PasswordInput, Table, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import type { InputOf } from '#shared/operations/index.ts';
import type { Restored } from '#shared/operations/service/backup.ts';
import { dataOf } from '../../../bridge/ask.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { sayDone } from '../../../components/work/notices.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { useRead } from '../../../components/work/use-read.ts';
import { WorkProgress } from '../../../components/work/work-progress.tsx';
import { countOf, formatBytes, formatCount } from '../../../format.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { startWork } from '../../../stores/jobs.ts';
import { storage } from '../../../stores/storage.ts';

/** Says what a backup would bring, and brings it. */
export function RestoreDialog({ file }: { readonly file: File }) {
  const [done, setDone] = useState(0);
  const [replaces, setReplaces] = useState(false);
  const [passphrase, setPassphrase] = useState('');
  const look = useCallback(
    async () =>
      dataOf(await bridge.upload('backup.restore', { dry_run: 'true' }, file, { onProgress: setDone })),
    [file],
  );
  const { value, error, retry } = useRead(look);
  const differs = value !== null && sumOf(value, 'differ') > 0;
  const added = value === null ? 0 : sumOf(value, 'new') + (value.trails?.new ?? 0);
  const isWorth =
    value !== null && (passphrase !== '' || added + (replaces ? sumOf(value, 'differ') : 0) > 0);
  const submit = useSubmit(() => {
    startRestore(file, { ...(replaces && { replace: 'true' }), ...(passphrase !== '' && { passphrase }) });
    closeDialog();
    return Promise.resolve();
  });
  return (
    <FormDialog
      title="Restore a backup"
      action="Restore"
      submit={submit}
      disabled={!isWorth}
      focusAction
      size="lg"
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {file.name}, {formatBytes(file.size)}
      </Text>
      {value === null && error === null && (
        <WorkProgress label="Reading the backup" done={done} total={file.size} format={formatBytes} />
      )}
      {error !== null && <Problem message={error} onRetry={retry} />}
      {value !== null && <Counts found={value} />}
      {value !== null && (
        <Text size="sm" role="status">
          {!differs && added === 0 ? 'Everything in this backup is here already.' : trailsText(value)}
        </Text>
      )}
      {value?.secrets !== undefined && (
        <PasswordInput
          label="Passphrase of its secrets"
          description="Without it tokens and API keys go on working, but are not shown."
          value={passphrase}
          onChange={({ currentTarget }) => setPassphrase(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the passphrase' }}
        />
      )}
      {differs && (
        <Checkbox
          label="Replace what differs"
          description="Names, tags and settings become those of the backup. Records that are here alone are deleted, and can be had back from Recently deleted."
          checked={replaces}
          onChange={({ currentTarget }) => setReplaces(currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}

const KINDS = ['projects', 'devices', 'records'] as const;
const sumOf = (found: Restored, which: 'new' | 'differ') =>
  KINDS.reduce((sum, kind) => sum + found[kind][which], 0);

function Counts({ found }: { readonly found: Restored }) {
  return (
    <Table withTableBorder aria-label="What would come back" style={{ fontVariantNumeric: 'tabular-nums' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={130} />
          <Table.Th ta="right">Comes back</Table.Th>
          <Table.Th ta="right">Here already</Table.Th>
          <Table.Th ta="right">Differs</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {KINDS.map((kind) => (
          <Table.Tr key={kind}>
            <Table.Th fw={500} c="dimmed" tt="capitalize" scope="row">
              {kind}
            </Table.Th>
            <Table.Td ta="right">{formatCount(found[kind].new)}</Table.Td>
            <Table.Td ta="right">{formatCount(found[kind].same)}</Table.Td>
            <Table.Td ta="right">{formatCount(found[kind].differ)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Outcome for the audit trails of a backup of everything; nothing else is restored by this dialog. */
function trailsText({ trails }: Restored): string {
  if (!trails) return 'The backup has no audit trail: it is of a part, or of an earlier Fieldbench.';
  if (trails.new === 0) return 'Its audit trail is here already.';
  return `Its audit trail is kept beside the one here, as a former one: ${countOf(trails.new, 'trail')}.`;
}

function startRestore(file: File, input: InputOf<'backup.restore'>): void {
  startWork({
    verb: 'Restore',
    about: file.name,
    unit: 'bytes',
    total: file.size,
    job: { kind: 'restore', project_id: '', device_id: null },
    async run(progress, signal) {
      const onProgress = (taken: number) => progress(taken, file.size);
      return dataOf(await bridge.upload('backup.restore', input, file, { signal, onProgress }));
    },
    outcome({ devices, records, secrets }) {
      storage.reload();
      const text = [
        countOf(devices.new, 'device'),
        countOf(records.new, 'record'),
        ...(secrets ? [countOf(secrets.new, 'secret')] : []),
      ].join(', ');
      sayDone('Restored', `${text} came back.`);
      return { text };
    },
  });
}
