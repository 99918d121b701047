import { z } from 'zod';
import { operation } from '../operation.ts';
import { deletion, id, project } from '../schemas.ts';

/** Document 4.1. */
export const projectOperations = {
  'projects.list': operation({
    method: 'GET',
    path: '/v2/projects',
    permission: 'read',
    action: 'get projects',
    message: 'Projects retrieved successfully.',
    input: z.object({}),
    output: z.array(project),
  }),
  'projects.get': operation({
    method: 'GET',
    path: '/v2/projects/:project_id',
    permission: 'read',
    action: 'get project',
    message: 'Project retrieved successfully.',
    input: z.object({ project_id: id }),
    output: project,
  }),
  'projects.delete': operation({
    method: 'DELETE',
    path: '/v2/projects/:project_id',
    permission: 'delete',
    action: 'delete project',
    message: 'Project deleted successfully.',
    input: z.object({ project_id: id }),
    output: deletion,
  }),
} as const;
