import { TagsInput, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { ask } from '../../../bridge/ask.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { NewTags } from '../../../components/dialog/new-tags.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { takingBack } from '../../../components/work/undo-edits.ts';
import { countOf } from '../../../format.ts';
import { compareNames } from '../../../order.ts';
import { editOfDevice, type Edited } from '../../../stores/undo/edits.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { forEachDevice } from './each-device.ts';

interface TagDialogProps {
  readonly project_id: string;
  readonly devices: readonly FoundDevice[];
}

/** Gives tags to devices, and takes some away. */
export function TagDialog({ project_id, devices }: TagDialogProps) {
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const known = useMemo(
    () => [...new Set(devices.flatMap(({ tags }) => tags))].toSorted(compareNames),
    [devices],
  );
  const submit = useSubmit(async () => {
    closeDialog();
    /** Devices whose tags no offered undo covers yet. */
    const tagged: Edited[] = [];
    forEachDevice({
      verb: 'Tag',
      devices,
      done: `${countOf(devices.length, 'device')} tagged`,
      async act({ id: device_id }, signal) {
        // As they are now: other windows may have given it some since the list was read.
        const before = await ask('devices.get', { project_id, device_id }, { signal });
        const kept = before.tags.filter((tag) => !remove.includes(tag));
        const tags = [...new Set([...kept, ...add])];
        // Once begun it is waited for: only so can it be undone.
        const after = await ask('devices.update', { project_id, device_id, tags });
        const edited = editOfDevice(before, after);
        if (edited) tagged.push(edited);
      },
      undoable() {
        const part = tagged.splice(0);
        const edits = { devices: part.flatMap((one) => one.edits.devices ?? []) };
        const way = part.length === 0 ? null : takingBack(project_id, edits);
        return way && { title: `${countOf(part.length, 'device')} tagged`, way };
      },
    });
  });
  return (
    <FormDialog
      title={`Tag ${countOf(devices.length, 'device')}`}
      action="Change tags"
      submit={submit}
      disabled={add.length + remove.length === 0}
    >
      <NewTags
        label="Add"
        placeholder={add.length === 0 ? 'Type a tag and press Enter' : ''}
        value={add}
        onChange={setAdd}
        data-autofocus
      />
      {known.length > 0 && (
        <TagsInput
          label="Take away"
          placeholder={remove.length === 0 ? 'Choose among their tags' : ''}
          data={known}
          value={remove}
          onChange={setRemove}
        />
      )}
      <Text size="sm" c="dimmed">
        Other tags stay as they are.
      </Text>
    </FormDialog>
  );
}
