import type { PropsWithChildren } from 'react';
import { projects } from '../../stores/projects.ts';

/** What a project is called; its children while that is not known. */
export function ProjectName({ project_id, children }: PropsWithChildren<{ readonly project_id: string }>) {
  return projects.useValue('all').value?.find(({ id }) => id === project_id)?.name ?? children;
}
