import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useCallback } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { Impact } from '#shared/schema/schemas.ts';
import { ask } from '../../../bridge/ask.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { AskedReasonField, useAskedReason } from '../../../components/dialog/reason-field.tsx';
import { RemovedTable } from '../../../components/dialog/removed-table.tsx';
import { MANY_RECORDS, TypeToConfirm, useTyped } from '../../../components/dialog/type-to-confirm.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { readUntil } from '../../../components/work/undo-toast.tsx';
import { useRead } from '../../../components/work/use-read.ts';
import { countOf, formatBytes, formatCount } from '../../../format.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { listenToImpact } from '../../../stores/undo/deletes.ts';
import { forEachDevice } from './each-device.ts';
import { puttingBack, removeOf, type Removed, type RemovedOf } from './removal.ts';
import { Loading } from '../../../components/work/loading.tsx';

interface RemoveDialogProps {
  readonly project_id: string;
  readonly what: Removed;
  readonly devices: readonly FoundDevice[];
}

interface Counts {
  readonly records: number;
  readonly functions: number;
  readonly widgets: number;
  readonly bytes: number;
}

const AT_ONCE = 16;

/** Resolves with the impact of removing all of them, by a present count of each. */
async function countAll(project_id: string, devices: readonly FoundDevice[]): Promise<Counts> {
  let counts: Counts = { records: 0, functions: 0, widgets: 0, bytes: 0 };
  for (let from = 0; from < devices.length; from += AT_ONCE) {
    const impacts = await Promise.all(
      devices
        .slice(from, from + AT_ONCE)
        .map(({ id: device_id }) => ask('devices.impact', { project_id, device_id })),
    );
    counts = impacts.reduce(plus, counts);
  }
  return counts;
}

const plus = (sum: Counts, { deleted, bytes }: Impact): Counts => ({
  records: sum.records + deleted.records,
  functions: sum.functions + (deleted.functions ?? 0),
  widgets: sum.widgets + (deleted.widgets ?? 0),
  bytes: sum.bytes + bytes,
});

/** The last step before the data of devices, or the devices themselves, go: exactly what would go, then a word typed. */
export function RemoveDialog({ project_id, what, devices }: RemoveDialogProps) {
  const read = useCallback(() => countAll(project_id, devices), [project_id, devices]);
  // Records that come are not counted again: of thousands of devices that would be without end.
  const changes = useCallback(
    (changed: () => void) => listenToImpact(project_id, null, changed, { isLive: false }),
    [project_id],
  );
  const { value: counts, error, retry } = useRead(read, { changes });
  const { value: until } = useRead(readUntil);
  const [only] = devices.length === 1 ? devices : [];
  const named = only ? `“${only.name}”` : countOf(devices.length, 'device');
  const word = only ? only.name : String(devices.length);
  const confirmed = useTyped(word);
  const isData = what === 'data';
  const isMuch = counts !== null && counts.records > MANY_RECORDS;
  const asked = useAskedReason(project_id);
  const { reason } = asked.why;
  const submit = useSubmit(async () => {
    // The dialog is closed by the time that the service could say so.
    if (asked.isAsked && reason === undefined)
      throw new Error('reason must be given: this project asks for one.');
    closeDialog();
    /** Removals that no offered undo covers yet. */
    const kept: RemovedOf[] = [];
    const doneOf = (some: string) => (isData ? `Data of ${some} purged` : `${some} deleted`);
    const done = doneOf(only && !isData ? `Device ${named}` : named);
    forEachDevice({
      verb: isData ? 'Purge' : 'Delete',
      devices,
      done,
      async act({ id: device_id }) {
        const of = { project_id, device_id, reason };
        kept.push({ ...of, ...(await removeOf(what, of)) });
      },
      undoable() {
        const part = kept.splice(0);
        if (part.length === 0) return null;
        const title =
          part.length === devices.length ? done : doneOf(`${formatCount(part.length)} of ${named}`);
        return { title, way: puttingBack(what, part) };
      },
    });
  });
  return (
    <FormDialog
      title={isData ? `Purge the data of ${named}` : `Delete ${only ? `device ${named}` : named}`}
      action={isData ? 'Purge data' : `Delete ${only ? 'device' : 'devices'}`}
      submit={submit}
      disabled={counts === null || (isMuch && !confirmed.isRight)}
      fields={asked.fields}
      danger
    >
      <Alert color="danger" variant="light" icon={<IconAlertTriangle size={18} />} p="sm">
        <Text size="sm" tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
          {isData
            ? 'Every record is deleted; the devices themselves stay. '
            : 'Data, functions and widgets that show nothing else are deleted with them. '}
          {until}
        </Text>
      </Alert>
      {error !== null && <Problem message={error} onRetry={retry} />}
      {error === null && !counts && <Loading h={120} label="Counting what would be removed" />}
      {counts && <CountsTable isData={isData} devices={devices.length} counts={counts} />}
      <AskedReasonField {...asked} problem={submit.error} />
      {isMuch && (
        <TypeToConfirm
          label={only ? 'Type the name to confirm' : 'Type how many devices to confirm'}
          word={word}
          {...confirmed}
        />
      )}
    </FormDialog>
  );
}

interface CountsTableProps {
  readonly isData: boolean;
  readonly devices: number;
  readonly counts: Counts;
}

function CountsTable({ isData, devices, counts }: CountsTableProps) {
  const rows: (readonly [string, string])[] = [
    [isData ? 'Of devices' : 'Devices', formatCount(devices)],
    ['Data', countOf(counts.records, 'record')],
    ['Size on disk', formatBytes(counts.bytes)],
  ];
  if (!isData && counts.functions > 0) rows.push(['Functions', formatCount(counts.functions)]);
  if (!isData && counts.widgets > 0) rows.push(['Widgets', formatCount(counts.widgets)]);
  return <RemovedTable rows={rows} />;
}
