import { TagsInput, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { ask } from '../../../bridge/ask.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { NewTags } from '../../../components/dialog/new-tags.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { countOf } from '../../../format.ts';
import { compareNames } from '../../../order.ts';
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
    forEachDevice({
      verb: 'Tag',
      devices,
      done: `${countOf(devices.length, 'device')} tagged`,
      async act({ id: device_id, tags }, signal) {
        const kept = tags.filter((tag) => !remove.includes(tag));
        const next = [...new Set([...kept, ...add])];
        await ask('devices.update', { project_id, device_id, tags: next }, { signal });
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
