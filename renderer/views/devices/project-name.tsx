import type { PropsWithChildren } from 'react';
import { shownName } from '../../components/facts/shown-name.ts';
import { projects } from '../../stores/projects.ts';

/** Name of a project; its children while that is not known. */
export function ProjectName({ project_id, children }: PropsWithChildren<{ readonly project_id: string }>) {
  const name = projects.useValue('all').value?.find(({ id }) => id === project_id)?.name;
  return name === undefined ? children : shownName(name);
}
