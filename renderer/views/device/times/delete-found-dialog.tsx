import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '#shared/schema/schemas.ts';
import type { Micros } from '#shared/values/time.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { AskedReasonField, useAskedReason } from '../../../components/dialog/reason-field.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { spanText } from '../../../components/facts/span-words.ts';
import { deleteWithNote } from '../../../components/work/delete-with-note.ts';
import { removedWords } from '../../../components/facts/removed-words.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { useSpanCount } from '../../../components/work/use-span-count.ts';
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
export function DeleteFoundDialog({ project_id, device, span, records, what }: DeleteFoundDialogProps) {
  const { shown, error, retry, ...counted } = useSpanCount(project_id, device.id, span, null);
  const [typed, setTyped] = useState<string | null>(null);
  const note = typed ?? (shown === null ? '' : removedWords(shown));
  const asked = useAskedReason(project_id);
  const when = spanText(span.from, span.from === span.to ? null : span.to);
  const submit = useSubmit(async () => {
    await counted.requireShown();
    const text = note.trim();
    await deleteWithNote(
      { ...counted.span, why: asked.why },
      {
        note: text === '' ? null : text,
        said: ({ deleted }) => ({
          title: `${countOf(deleted.records, 'record')} deleted`,
          message: when,
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
      <Text size="sm">{when}</Text>
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
