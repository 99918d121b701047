import { useCallback } from 'react';
import type { Project } from '#shared/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { ConfirmByName } from '../../components/dialog/confirm-by-name.tsx';
import { goTo } from '../../router.ts';

export function DeleteProjectDialog({ project }: { readonly project: Project }) {
  const project_id = project.id;
  return (
    <ConfirmByName
      title={`Delete project “${project.name}”`}
      action="Delete project"
      warning="Its devices, their data, functions and widgets are deleted with it."
      name={project.name}
      done={`Project “${project.name}” deleted`}
      work={{ kind: 'delete', project_id, device_id: null }}
      readImpact={useCallback(() => ask('projects.impact', { project_id }), [project_id])}
      act={async () => (await ask('projects.delete', { project_id })).deleted}
      onDone={() => goTo({ screen: 'projects' })}
    />
  );
}
