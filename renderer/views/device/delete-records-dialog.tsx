import { Checkbox, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '#shared/schema/schemas.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { Moment } from '../../components/facts/moment.tsx';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { AskedReasonField, useAskedReason } from '../../components/dialog/reason-field.tsx';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { deleteWithNote } from '../../components/work/delete-with-note.ts';
import { Problem } from '../../components/work/problem.tsx';
import { removedWords } from '../../components/facts/removed-words.ts';
import { readUntil, restorableUntil } from '../../components/work/undo-toast.tsx';
import { useRead } from '../../components/work/use-read.ts';
import { useSpanCount } from '../../components/work/use-span-count.ts';
import { countOf, formatCount } from '../../format.ts';
import { zoneOffset } from '../../time.ts';

interface DeleteRecordsDialogProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  readonly span: { readonly from: Micros; readonly to: Micros };
  /** How many there were when it was asked for. */
  readonly records: number;
}

/** From so many records on the device's name has to be typed, although they can be had back. */
const MANY = 1_000_001;
const LONGEST_NOTE = 500;

/** The last step before the records of a stretch of time go. */
export function DeleteRecordsDialog({ project_id, device, span, records: known }: DeleteRecordsDialogProps) {
  const { shown: records, error, retry, ...counted } = useSpanCount(project_id, device.id, span, known);
  const [typedName, setTypedName] = useState('');
  const [isNoted, setNoted] = useState(false);
  const [typedNote, setTypedNote] = useState<string | null>(null);
  const note = typedNote ?? removedWords(records);
  const { value: until } = useRead(readUntil);
  const isMany = records >= MANY;
  const asked = useAskedReason(project_id);
  const submit = useSubmit(async () => {
    await counted.requireShown();
    await deleteWithNote(
      { ...counted.span, why: asked.why },
      {
        note: isNoted && note.trim() !== '' ? note.trim() : null,
        said: ({ deleted, undo }) => ({
          title: `${countOf(deleted.records, 'record')} of “${device.name}” deleted`,
          message: restorableUntil(parseInstant(undo.until) ?? 0),
        }),
      },
    );
  });
  return (
    <FormDialog
      title={`Delete ${countOf(records, 'record')} of “${device.name}”?`}
      action={`Delete ${records === 1 ? 'record' : `${formatCount(records)} records`}`}
      submit={submit}
      disabled={records === 0 || (isMany && typedName.trim() !== device.name.trim())}
      focusAction={!isMany && !asked.isAsked}
      fields={asked.fields}
      danger
    >
      <Text size="sm">
        <Moment at={span.from} /> – <Moment at={span.to} /> {zoneOffset(span.from)}
      </Text>
      {error !== null && <Problem message={error} onRetry={retry} />}
      <Text size="sm">All keys of these records go. {until}</Text>
      <Checkbox
        label="Leave a note there"
        checked={isNoted}
        onChange={(event) => setNoted(event.currentTarget.checked)}
      />
      {isNoted && (
        <TextInput
          aria-label="Note"
          value={note}
          onChange={(event) => setTypedNote(event.currentTarget.value)}
          maxLength={LONGEST_NOTE}
          autoComplete="off"
        />
      )}
      <AskedReasonField {...asked} problem={submit.error} />
      {isMany && (
        <TextInput
          label="Type the name to confirm"
          description={device.name}
          value={typedName}
          onChange={(event) => setTypedName(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
