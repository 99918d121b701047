import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '#shared/schema/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { NewTags } from '../../components/dialog/new-tags.tsx';
import { errorOf } from '../../components/dialog/field-error.ts';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { addEdited } from '../../components/work/undo-edits.ts';
import { changedFields, DEVICE_FIELDS, editOfDevice } from '../../stores/undo/edits.ts';
import { closeDialog } from '../../stores/dialog.ts';

interface EditDeviceDialogProps {
  readonly project_id: string;
  readonly device: Device;
}

export function EditDeviceDialog({ project_id, device }: EditDeviceDialogProps) {
  const { name, description, brand, model } = device;
  const [fields, setFields] = useState({ name, description, brand, model });
  const [tags, setTags] = useState(device.tags);
  const submit = useSubmit(async () => {
    const entered = { ...device, ...fields, name: fields.name.trim(), tags };
    // What was not touched stays as it is, also where another window changed it meanwhile.
    const given = changedFields(device, entered, DEVICE_FIELDS)?.be ?? {};
    const of = { project_id, device_id: device.id };
    const before = await ask('devices.get', of);
    const after = await ask('devices.update', { ...of, ...given });
    addEdited(project_id, editOfDevice(before, after));
    closeDialog();
  });
  const field = (of: keyof typeof fields) => ({
    value: fields[of],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFields((before) => ({ ...before, [of]: value }));
    },
    error: errorOf(submit.error, of),
  });
  return (
    <FormDialog
      title="Edit device"
      action="Save"
      submit={submit}
      fields={['name', 'description', 'brand', 'model', 'tags']}
      size="lg"
    >
      <TextInput label="Name" required withAsterisk={false} data-autofocus {...field('name')} />
      <Textarea label="Description" autosize minRows={2} maxRows={6} {...field('description')} />
      <NewTags label="Tags" value={tags} onChange={setTags} error={errorOf(submit.error, 'tags')} />
      <SimpleGrid cols={2}>
        <TextInput label="Brand" {...field('brand')} />
        <TextInput label="Model" {...field('model')} />
      </SimpleGrid>
    </FormDialog>
  );
}
