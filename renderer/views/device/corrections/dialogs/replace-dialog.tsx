import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { formatMicros, parseInstant, type Micros } from '#shared/values/time.ts';
import { errorOf } from '../../../../components/dialog/field-error.ts';
import { FormDialog } from '../../../../components/dialog/form-dialog.tsx';
import { SearchSelect } from '../../../../components/dialog/search-select.tsx';
import { ReasonField } from '../../../../components/dialog/reason-field.tsx';
import { useSubmit } from '../../../../components/dialog/use-submit.ts';
import { countOf } from '../../../../format.ts';
import { byName } from '../../../../order-by-name.ts';
import { devices } from '../../../../stores/devices.ts';
import { closeDialog } from '../../../../stores/dialog.ts';
import { formatTime, type Zone } from '../../../../time.ts';
import type { Correcting } from '../fields/correcting.ts';
import { addCorrections, changeCorrection } from '../change-corrections.ts';
import { useTimeEntry } from '../fields/use-time-entry.ts';

/** Puts the history of a former device before this one's: who took its place, and until when it was there. */
export function ReplaceDialog({ project_id, device, zone, correction }: Correcting) {
  devices.useWatch(project_id);
  const { value } = devices.useValue(project_id);
  const [former_id, setFormer] = useState<string | null>(correction?.former_id ?? null);
  const [reason, setReason] = useState(correction?.reason ?? '');
  const [tried, setTried] = useState(false);
  const others = byName(value ?? [], project_id).filter(({ id }) => id !== device.id);
  const former = others.find(({ id }) => id === former_id);
  const until = useUntil(former ?? null, parseInstant(correction?.until ?? ''), zone);
  const wrong = {
    former_id: former_id === null ? 'Choose the device that was there before.' : null,
    until: until.problem ?? (until.at === null ? 'A time is needed here.' : null),
  };
  const submit = useSubmit(async () => {
    setTried(true);
    if (former_id === null || until.at === null || wrong.until !== null) return;
    const why = reason.trim() === '' ? null : reason.trim();
    const fields = { former_id, until: formatMicros(until.at), reason: why };
    const words = {
      title: 'Device replaced',
      message: `“${device.name}” has the history of “${former?.name ?? former_id}” before its own.`,
    };
    const of = { project_id, device_id: device.id };
    if (correction) await changeCorrection(project_id, correction, fields, words);
    else await addCorrections(of, [{ kind: 'replaced', ...fields }], words);
    closeDialog();
  });
  const shown = (field: keyof typeof wrong) => (tried ? wrong[field] : null) ?? errorOf(submit.error, field);
  return (
    <FormDialog
      title={correction ? 'Change the replaced device' : `“${device.name}” replaces another device`}
      action={correction ? 'Save' : 'Replace'}
      submit={submit}
      fields={['former_id', 'until', 'reason']}
    >
      <Text size="sm">
        The former device stays as it is, with its own corrections. This one shows its history before its own,
        as if it had been here all the time.
      </Text>
      <SearchSelect
        label="Former device"
        placeholder="Search the devices of this project"
        data={others.map(({ id, name }) => ({ value: id, label: labelOf(name, id, others) }))}
        value={former_id}
        onChange={setFormer}
        allowDeselect={false}
        error={shown('former_id')}
        nothingFoundMessage="No device of this project matches."
        data-autofocus
      />
      <TextInput
        label="Until"
        description={
          former
            ? `${countOf(former.records, 'record')}${former.newest === null ? '' : `, the last of ${formatTime(parseInstant(former.newest) ?? 0, zone)}`}`
            : 'Its last record, unless you say another time'
        }
        value={until.text}
        onChange={(event) => until.set(event.currentTarget.value)}
        error={shown('until')}
        autoComplete="off"
        spellCheck={false}
      />
      <ReasonField
        project_id={project_id}
        placeholder="probe failed its calibration"
        value={reason}
        onChange={setReason}
        error={errorOf(submit.error, 'reason')}
      />
    </FormDialog>
  );
}

/** Until when the former device was there: its last record, until somebody types another time. */
function useUntil(former: FoundDevice | null, told: Micros | null, zone: Zone) {
  const proposed = told ?? (former?.newest ? parseInstant(former.newest) : null);
  const first = useTimeEntry(told, zone, 'to');
  const [isTyped, setTyped] = useState(told !== null);
  if (isTyped) return first;
  return {
    text: proposed === null ? '' : formatTime(proposed, zone),
    at: proposed,
    problem: null,
    set(text: string) {
      setTyped(true);
      first.set(text);
    },
  };
}

const OF_ID = 4;

/** Two of one name are told apart by their ids. */
function labelOf(name: string, id: string, others: readonly FoundDevice[]): string {
  const isTwin = others.filter((other) => other.name === name).length > 1;
  return isTwin ? `${name} (${id.slice(0, OF_ID)})` : name;
}
