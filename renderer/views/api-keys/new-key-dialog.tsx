import { Checkbox, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Permission } from '#shared/schema/schemas.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { ask } from '../../bridge/ask.ts';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { errorOf } from '../../components/dialog/field-error.ts';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { projects } from '../../stores/projects.ts';
import { apiKeysChanged } from '../../stores/service.ts';
import { formatLocal } from '../../time.ts';
import { KeyMade } from './key-made.tsx';
import { ExpiryError, describeExpiry, describePermissions, PERMISSIONS, readExpiry } from './key-words.ts';

interface MadeKey {
  readonly name: string;
  readonly api_key: string;
  readonly allows: string;
}

/** Makes an API key and shows it, once. */
export function NewKeyDialog() {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[]>(['read']);
  const [project_ids, setProjectIds] = useState<string[]>([]);
  const [expires, setExpires] = useState('');
  const [expiryProblem, setExpiryProblem] = useState<string | null>(null);
  const [made, setMade] = useState<MadeKey | null>(null);
  const allProjects = projects.useValue('all').value ?? [];
  const submit = useSubmit(async () => {
    const permissions = (Object.keys(PERMISSIONS) as Permission[]).filter((one) => chosen.includes(one));
    setExpiryProblem(null);
    let until: Micros | null;
    try {
      until = readExpiry(expires);
    } catch (error) {
      if (!(error instanceof ExpiryError)) throw error;
      setExpiryProblem(error.message);
      return;
    }
    const key = {
      name: name.trim(),
      permissions,
      project_ids: project_ids.length > 0 ? project_ids : null,
      expires_at: until === null ? null : formatMicros(until),
    };
    const { api_key } = await ask('keys.create', key);
    apiKeysChanged();
    const names = allProjects.filter(({ id }) => project_ids.includes(id)).map((project) => project.name);
    const where = names.length > 0 ? `in ${names.join(', ')}` : 'in all projects';
    const end = until === null ? '.' : `, until ${formatLocal(until)}.`;
    setMade({ name: key.name, api_key, allows: `${describePermissions(permissions)} ${where}${end}` });
  });

  if (made) return <KeyMade {...made} />;
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
        value={chosen}
        onChange={setChosen}
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
        label="Expires"
        description={describeExpiry(expires)}
        placeholder="never"
        value={expires}
        onChange={(event) => setExpires(event.currentTarget.value)}
        error={expiryProblem ?? errorOf(submit.error, 'expires_at')?.replace('expires_at', 'The end')}
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  );
}
