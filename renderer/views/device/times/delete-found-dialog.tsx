import { Text, TextInput } from '@mantine/core';
import { useCallback, useState } from 'react';
import type { Device } from '#shared/schema/schemas.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { ask } from '../../../bridge/ask.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { AskedReasonField, useAskedReason } from '../../../components/dialog/reason-field.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { spanText } from '../../../components/facts/span-words.ts';
import { deleteWithNote } from '../../../components/work/delete-with-note.ts';
import { removedWords } from '../../../components/facts/removed-words.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { useRead } from '../../../components/work/use-read.ts';
import { countOf, formatCount } from '../../../format.ts';
import { Loading } from '../../../components/work/loading.tsx';

interface DeleteFoundDialogProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  readonly span: { readonly from: Micros; readonly to: Micros };
  /** Records that were found there. */
  readonly records: number;
  /** As what they were found. */
  readonly what: string;
}

/** The last step before a place goes: exactly how many records lie there now, whether or not all of them were found. */
export function DeleteFoundDialog({
  project_id,
  device,
  span: { from: start, to: end },
  records,
  what,
}: DeleteFoundDialogProps) {
  const span = { project_id, device_id: device.id, start: formatMicros(start), end: formatMicros(end) };
  const count = useCallback(
    () =>
      ask('records.count', {
        project_id,
        device_id: device.id,
        start: formatMicros(start),
        end: formatMicros(end),
      }),
    [project_id, device.id, start, end],
  );
  const { value, error, retry } = useRead(count);
  /** Count shown last, up to which records may be deleted. */
  const [recounted, setRecounted] = useState<number | null>(null);
  const shown = recounted ?? value?.records ?? null;
  const [typed, setTyped] = useState<string | null>(null);
  const note = typed ?? (shown === null ? '' : removedWords(shown));
  const asked = useAskedReason(project_id);
  const submit = useSubmit(async () => {
    const { records: now } = await ask('records.count', span);
    if (now !== shown) {
      setRecounted(now);
      throw new Error(`There are ${countOf(now, 'record')} by now. Nothing was deleted.`);
    }
    const text = note.trim();
    await deleteWithNote(
      { ...span, why: asked.why },
      {
        note: text === '' ? null : text,
        said: ({ deleted }) => ({
          title: `${countOf(deleted.records, 'record')} deleted`,
          message: spanText(start, start === end ? null : end),
        }),
      },
    );
  });
  const others = (shown ?? records) - records;
  return (
    <FormDialog
      title={`Delete records of “${device.name}”?`}
      action={shown === null ? 'Delete' : `Delete ${countOf(shown, 'record')}`}
      submit={submit}
      disabled={shown === null || shown === 0}
      fields={asked.fields}
      danger
    >
      <Text size="sm">{spanText(start, start === end ? null : end)}</Text>
      {error !== null && <Problem message={error} onRetry={retry} />}
      {shown === null && error === null && <Loading h={20} label="Counting records" />}
      {shown !== null && (
        <Text size="sm">
          <b>{countOf(shown, 'record')}</b> {shown === 1 ? 'lies' : 'lie'} there
          {others > 0
            ? `: ${formatCount(records)} found as “${what}”, and ${formatCount(others)} that ${others === 1 ? 'was' : 'were'} not. All of them go`
            : ', and all of them go'}
          , with all their keys. You can restore them for a while under “Recently deleted”.
        </Text>
      )}
      <AskedReasonField {...asked} problem={submit.error} />
      <TextInput
        label="Note to leave"
        description="A flag on the time axis says what happened. Empty leaves none."
        value={note}
        maxLength={500}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  );
}
