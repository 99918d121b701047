import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Project } from '#shared/schema/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { errorOf } from '../../components/dialog/field-error.ts';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { goTo } from '../../router.ts';
import { closeDialog } from '../../stores/dialog.ts';

/** Creates a project and goes to it, or changes the one given. */
export function ProjectDialog({ project }: { readonly project?: Project }) {
  const [name, setName] = useState(project?.name ?? '');
  const [description, setDescription] = useState(project?.description ?? '');
  const submit = useSubmit(async () => {
    if (project) await ask('projects.update', { project_id: project.id, name: name.trim(), description });
    else {
      const { id } = await ask('projects.create', { name: name.trim(), description });
      goTo({ screen: 'devices', project_id: id });
    }
    closeDialog();
  });
  return (
    <FormDialog
      title={project ? 'Edit project' : 'New project'}
      action={project ? 'Save' : 'Create project'}
      submit={submit}
      fields={['name', 'description']}
    >
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        placeholder="Boiler room, building C"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errorOf(submit.error, 'name')}
        data-autofocus
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={6}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={errorOf(submit.error, 'description')}
      />
    </FormDialog>
  );
}
