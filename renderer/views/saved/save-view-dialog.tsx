import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { View } from '#shared/operations/metadata/views.ts';
import { ask } from '../../bridge/ask.ts';
import { errorOf } from '../../components/dialog/field-error.ts';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { sayDone } from '../../components/work/notices.ts';
import { closeDialog } from '../../stores/dialog.ts';
import { viewsChanged } from '../../stores/views.ts';

interface SaveViewDialogProps {
  /** Address to be found again, with tab, search, keys, span and modes. */
  readonly address: string;
  /** Proposed text. */
  readonly name: string;
  /** The view that gets another name; absent: a new one. */
  readonly view?: View;
}

/** Gives what is shown now a name, by which the palette finds it. */
export function SaveViewDialog({ address, name: proposed, view }: SaveViewDialogProps) {
  const [name, setName] = useState(proposed);
  const submit = useSubmit(async () => {
    if (view) await ask('views.update', { view_id: view.id, name: name.trim() });
    else await ask('views.create', { name: name.trim(), address });
    viewsChanged();
    closeDialog();
    if (!view) sayDone('View saved', `“${name.trim()}” is in the palette (Ctrl K).`);
  });
  return (
    <FormDialog
      title={view ? 'Rename view' : 'Save this view'}
      action={view ? 'Rename' : 'Save view'}
      submit={submit}
      fields={['name']}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        // What is proposed is written over.
        onFocus={(event) => !view && event.currentTarget.select()}
        error={errorOf(submit.error, 'name')}
        autoComplete="off"
        maxLength={100}
        data-autofocus
      />
      {!view && (
        <Text size="sm" c="dimmed">
          Keeps what is shown now: the tab with its keys, span and search. Not the records themselves.
        </Text>
      )}
    </FormDialog>
  );
}
