import { Alert, Button, Checkbox, Group, Modal, MultiSelect, Stack, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Permission } from '#shared/schemas.ts';
import { formatMicros } from '#shared/time.ts';
import { ask } from '../../bridge/ask.ts';
import { Copyable } from '../../components/copyable.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { errorOf } from '../../components/field-error.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { closeDialog } from '../../stores/dialog.ts';
import { projects } from '../../stores/projects.ts';
import { apiKeysChanged } from '../../stores/service.ts';

const PERMISSIONS: Readonly<Record<Permission, string>> = {
  read: 'Read projects, devices and data',
  write: 'Create devices',
  delete: 'Delete projects, devices and data',
  admin: 'Everything beyond /v2: projects, keys, import, export',
};

/** Makes an API key and shows it, once. */
export function NewKeyDialog() {
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<string[]>(['read']);
  const [project_ids, setProjectIds] = useState<string[]>([]);
  const [expires, setExpires] = useState('');
  const [api_key, setApiKey] = useState<string | null>(null);
  const allProjects = projects.useValue('all').value ?? [];
  const submit = useSubmit(async () => {
    const created = await ask('keys.create', {
      name: name.trim(),
      permissions: (Object.keys(PERMISSIONS) as Permission[]).filter((one) => permissions.includes(one)),
      project_ids: project_ids.length > 0 ? project_ids : null,
      expires_at: expires === '' ? null : formatMicros(new Date(expires).getTime() * 1000),
    });
    apiKeysChanged();
    setApiKey(created.api_key);
  });

  if (api_key !== null)
    return (
      <Modal
        opened
        onClose={closeDialog}
        title={`API key “${name.trim()}”`}
        size="lg"
        closeOnClickOutside={false}
      >
        <Stack gap="sm">
          <Alert variant="light" icon={<IconInfoCircle size={18} />} p="sm">
            Copy it now: it is not shown again.
          </Alert>
          <Copyable label="API key" value={api_key} />
          <Group justify="flex-end">
            <Button onClick={closeDialog}>Done</Button>
          </Group>
        </Stack>
      </Modal>
    );
  return (
    <FormDialog
      title="New API key"
      action="Create API key"
      submit={submit}
      fields={['name', 'permissions', 'project_ids', 'expires_at']}
    >
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        placeholder="Test rig 2"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errorOf(submit.error, 'name')}
        data-autofocus
      />
      <Checkbox.Group
        label="Permissions"
        value={permissions}
        onChange={setPermissions}
        error={errorOf(submit.error, 'permissions')}
      >
        <Stack gap={8} my={6}>
          {Object.entries(PERMISSIONS).map(([permission, allows]) => (
            <Checkbox key={permission} value={permission} label={permission} description={allows} />
          ))}
        </Stack>
      </Checkbox.Group>
      <MultiSelect
        label="Projects"
        description="None chosen means all of them"
        data={allProjects.map(({ id, name: label }) => ({ value: id, label }))}
        value={project_ids}
        onChange={setProjectIds}
        searchable
        clearable
        error={errorOf(submit.error, 'project_ids')}
      />
      <TextInput
        type="datetime-local"
        label="Expires"
        description="Local time; empty means never"
        value={expires}
        onChange={(event) => setExpires(event.currentTarget.value)}
        error={errorOf(submit.error, 'expires_at')}
      />
    </FormDialog>
  );
}
