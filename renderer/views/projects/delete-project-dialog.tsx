import { useCallback } from 'react';
import type { Project } from '#shared/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { ConfirmDelete } from '../../components/dialog/confirm-delete.tsx';
import { goTo } from '../../router.ts';

export function DeleteProjectDialog({ project }: { readonly project: Project }) {
  const project_id = project.id;
  return (
    <ConfirmDelete
      title={`Delete project “${project.name}”`}
      action="Delete project"
      warning="Its devices, their data, functions and widgets are deleted with it."
      name={project.name}
      done={() => `Project “${project.name}” deleted`}
      work={{ kind: 'delete', project_id, device_id: null }}
      readImpact={useCallback(() => ask('projects.impact', { project_id }), [project_id])}
      act={() => ask('projects.remove', { project_id })}
      onDone={() => goTo({ screen: 'projects' })}
    />
  );
}
