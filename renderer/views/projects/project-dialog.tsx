import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { LocalProject } from '#shared/operations/metadata/projects.ts';
import { ask } from '../../bridge/ask.ts';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { errorOf } from '../../components/dialog/field-error.ts';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { addEdited } from '../../components/work/undo-edits.ts';
import { goTo } from '../../router.ts';
import { changedFields, editOfProject, PROJECT_FIELDS } from '../../stores/undo/edits.ts';
import { closeDialog } from '../../stores/dialog.ts';

/** Creates a project and goes to it, or changes the one given. */
export function ProjectDialog({ project }: { readonly project?: LocalProject }) {
  const [name, setName] = useState(project?.name ?? '');
  const [description, setDescription] = useState(project?.description ?? '');
  const [reason_required, setReasonRequired] = useState(project?.reason_required ?? false);
  const submit = useSubmit(async () => {
    if (project) {
      const of = { project_id: project.id };
      const entered = { ...project, name: name.trim(), description, reason_required };
      // What was not touched stays as it is, also where another window changed it meanwhile.
      const given = changedFields(project, entered, PROJECT_FIELDS)?.be ?? {};
      const named = await ask('projects.get', of);
      const after = await ask('projects.update', { ...of, ...given });
      // What /v2 does not name is told by the answer, but for what was changed here.
      const asked = {
        reason_required: (given.reason_required === undefined ? after : project).reason_required,
      };
      addEdited(project.id, editOfProject({ ...named, ...asked }, after));
    } else {
      const { id } = await ask('projects.create', { name: name.trim(), description, reason_required });
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
      <Checkbox
        label="Ask for a reason when data are changed"
        description="Whoever corrects or deletes what was measured says why; the audit trail tells it."
        checked={reason_required}
        onChange={(event) => setReasonRequired(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
