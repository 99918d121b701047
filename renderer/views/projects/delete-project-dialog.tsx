import { useCallback } from 'react';
import type { Project } from '#shared/schema/schemas.ts';
import { ConfirmDelete } from '../../components/dialog/confirm-delete.tsx';
import { goTo } from '../../router.ts';
import { deleteProject, impactOfProject, isFinalDelete } from '../../stores/undo/deletes.ts';

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
      readImpact={useCallback(() => impactOfProject(project_id, project.name), [project_id, project.name])}
      project_id={project_id}
      act={(why) => deleteProject(project_id, why)}
      forGood={isFinalDelete('projects.remove')}
      onDone={() => goTo({ screen: 'projects' })}
    />
  );
}
