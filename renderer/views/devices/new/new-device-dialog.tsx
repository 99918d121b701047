import { Button, Modal, SimpleGrid, Stack, Text, Textarea, TextInput, Input } from '@mantine/core';
import { useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { OutputOf } from '#shared/operations/index.ts';
import type { Source } from '#shared/domain/sources.ts';
import { ask } from '../../../bridge/ask.ts';
import { ConnectHelp } from '../../../components/facts/connect-help.tsx';
import { DeviceFacts } from '../../../components/facts/device-facts.tsx';
import { saidOf } from '../../../components/facts/maker.ts';
import { DialogFooter } from '../../../components/dialog/dialog-footer.tsx';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { NewTags } from '../../../components/dialog/new-tags.tsx';
import { errorOf } from '../../../components/dialog/field-error.ts';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { goTo } from '../../../router.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { copySettings } from './clone.ts';
import { nextName } from './next-name.ts';
import { SourceChoice } from './source-choice.tsx';

type CreatedDevice = OutputOf<'devices.create'>;

interface NewDeviceProps {
  readonly project_id: string;
  /** The device whose settings the new one gets, too. */
  readonly like?: FoundDevice;
}

/** Asks for a device, creates it, then shows what it needs to store data. */
export function NewDeviceDialog({ project_id, like }: NewDeviceProps) {
  const [fields, setFields] = useState({
    name: like ? nextName(like.name) : '',
    description: like?.description ?? '',
    brand: saidOf(like?.brand),
    model: saidOf(like?.model),
  });
  const [source, setSource] = useState<Source>(like?.source ?? 'http');
  const [tags, setTags] = useState<string[]>([...(like?.tags ?? [])]);
  const [created, setCreated] = useState<CreatedDevice | null>(null);
  const submit = useSubmit(async () => {
    const { brand, model, ...texts } = fields;
    const made = await ask('devices.create', {
      project_id,
      ...texts,
      name: fields.name.trim(),
      source,
      tags,
      ...(brand && { brand }),
      ...(model && { model }),
    });
    if (like) await copySettings(project_id, like, made.id);
    setCreated(made);
  });
  if (created) return <Created project_id={project_id} device={created} source={source} />;

  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFields((before) => ({ ...before, [name]: value }));
    },
    error: errorOf(submit.error, name),
  });
  return (
    <FormDialog
      title={like ? `New device like “${like.name}”` : 'New device'}
      action="Create device"
      submit={submit}
      fields={['name', 'description', 'brand', 'model', 'tags']}
      size="lg"
    >
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        placeholder="Boiler 3"
        data-autofocus
        {...field('name')}
      />
      <Input.Wrapper
        label="Source"
        description="How the device sends its readings. It cannot be changed later."
        labelElement="div"
      >
        <SourceChoice mt={6} value={source} onChange={setSource} />
      </Input.Wrapper>
      <Textarea label="Description" autosize minRows={2} maxRows={6} {...field('description')} />
      <NewTags
        label="Tags"
        placeholder={tags.length === 0 ? 'Type a tag and press Enter' : ''}
        value={tags}
        onChange={setTags}
        error={errorOf(submit.error, 'tags')}
      />
      <SimpleGrid cols={2}>
        <TextInput label="Brand" placeholder="Custom" {...field('brand')} />
        <TextInput label="Model" placeholder="Custom" {...field('model')} />
      </SimpleGrid>
    </FormDialog>
  );
}

interface CreatedProps {
  readonly project_id: string;
  readonly device: CreatedDevice;
  readonly source: Source;
}

function Created({ project_id, device, source }: CreatedProps) {
  const { device_id } = device.metadata;
  return (
    <Modal opened onClose={closeDialog} title={`Device “${device.name}” created`} size={700}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          The device identifies itself with these. They stay readable on its page, under Connect.
        </Text>
        <DeviceFacts source={source} login={device.metadata} />
        <ConnectHelp source={source} login={device.metadata} />
        <DialogFooter>
          <Button variant="default" onClick={closeDialog}>
            Close
          </Button>
          <Button
            data-autofocus
            onClick={() => {
              closeDialog();
              goTo({ screen: 'device', project_id, device_id, tab: 'chart' });
            }}
          >
            Open device
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
