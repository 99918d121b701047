import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Project } from '#shared/schema/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { errorOf } from '../../components/dialog/field-error.ts';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { addEdited } from '../../components/work/undo-edits.ts';
import { goTo } from '../../router.ts';
import { changedFields, editOfProject, PROJECT_FIELDS } from '../../stores/undo/edits.ts';
import { closeDialog } from '../../stores/dialog.ts';

/** Creates a project and goes to it, or changes the one given. */
export function ProjectDialog({ project }: { readonly project?: Project }) {
  const [name, setName] = useState(project?.name ?? '');
  const [description, setDescription] = useState(project?.description ?? '');
  const submit = useSubmit(async () => {
    if (project) {
      const of = { project_id: project.id };
      const entered = { ...project, name: name.trim(), description };
      // What was not touched stays as it is, also where another window changed it meanwhile.
      const given = changedFields(project, entered, PROJECT_FIELDS)?.be ?? {};
      const before = await ask('projects.get', of);
      addEdited(project.id, editOfProject(before, await ask('projects.update', { ...of, ...given })));
    } else {
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
