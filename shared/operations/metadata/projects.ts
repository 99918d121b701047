import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import {
  count,
  deletion,
  id,
  impact,
  keptDeletion,
  project,
  projectFields,
  reason,
  reasonRequired,
  view,
} from '../../schema/schemas.ts';
import { inProject } from '../../schema/paths.ts';

/** A project with what /v2 does not name. */
const localProject = project.extend({ reason_required: z.boolean() });
localProject.register(z.globalRegistry, { id: 'LocalProject' });
export type LocalProject = z.infer<typeof localProject>;

/** A project, and how its devices are. */
const foundProject = localProject.extend({
  devices: count,
  online: count,
  late: count,
  never: count,
  /** Of those, the ones that have records: of files. */
  recordings: count,
  /** Devices of which a last value lies outside of its normal range. */
  outside: count,
  /** Devices that are read through corrections: none in the raw view. */
  corrected: count,
  records: count,
});
foundProject.register(z.globalRegistry, { id: 'FoundProject' });
export type FoundProject = z.infer<typeof foundProject>;

const projectKeys = z.object({ keys: z.array(z.string()), complete: z.boolean() });
projectKeys.register(z.globalRegistry, { id: 'ProjectKeys' });
export type ProjectKeys = z.infer<typeof projectKeys>;

export const projectOperations = {
  // docs/api.md, "Projects"
  'projects.list': operation({
    method: 'GET',
    path: '/v2/projects',
    permissions: ['read'],
    action: 'get projects',
    message: 'Projects retrieved successfully.',
    description: "The projects of the key's account that it may see, newest first.",
    input: z.object({}),
    output: z.array(project),
  }),
  'projects.get': operation({
    method: 'GET',
    path: '/v2/projects/:project_id',
    permissions: ['read'],
    action: 'get project',
    message: 'Project retrieved successfully.',
    description: 'One project.',
    input: inProject,
    output: project,
  }),
  'projects.delete': operation({
    method: 'DELETE',
    path: '/v2/projects/:project_id',
    permissions: ['delete'],
    action: 'delete project',
    message: 'Project deleted successfully.',
    description:
      'Deletes a project with its devices, their records, functions and widgets. It cannot be undone, unless the setting keep_v2_deletes says so.',
    input: inProject,
    output: deletion,
  }),

  // docs/local-api.md, "Beyond /v2"
  'projects.find': operation({
    method: 'GET',
    path: '/_local/v1/projects',
    permissions: ['admin'],
    action: 'find projects',
    message: 'Projects retrieved successfully.',
    description:
      "The projects of the key's account that it may see, newest first, and how their devices are.",
    input: z.object({ view }),
    output: z.array(foundProject),
  }),
  'projects.create': operation({
    method: 'POST',
    path: '/_local/v1/projects',
    permissions: ['admin'],
    reach: 'account',
    action: 'create project',
    message: 'Project created successfully.',
    description: 'Adds a project.',
    input: z.object({
      name: projectFields.name,
      description: projectFields.description.default(''),
      reason_required: reasonRequired.default(false),
      account_id: id.optional(),
    }),
    output: localProject,
  }),
  'projects.remove': operation({
    method: 'DELETE',
    path: '/_local/v1/projects/:project_id',
    permissions: ['delete'],
    asksForReason: true,
    action: 'delete project',
    message: 'Project deleted successfully.',
    description: 'Deletes a project with its devices and all that belongs to them, so that it can be undone.',
    input: inProject.extend({ reason: reason.optional() }),
    output: keptDeletion,
  }),
  'projects.update': operation({
    method: 'PATCH',
    path: '/_local/v1/projects/:project_id',
    permissions: ['admin'],
    action: 'update project',
    message: 'Project updated successfully.',
    description: 'Changes the fields of a project that are given.',
    input: inProject.extend({
      name: projectFields.name.optional(),
      description: projectFields.description.optional(),
      reason_required: reasonRequired.optional(),
    }),
    output: localProject,
  }),
  'projects.keys': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/keys',
    permissions: ['admin'],
    action: 'get project keys',
    message: 'Project keys retrieved successfully.',
    description:
      'The data keys that devices of the project have, sorted. `complete` is false where there are more devices or keys than are looked at.',
    input: inProject,
    output: projectKeys,
  }),
  'projects.impact': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/impact',
    permissions: ['admin'],
    action: 'get impact',
    message: 'Impact retrieved successfully.',
    description: 'What deleting the project would remove.',
    input: inProject,
    output: impact,
  }),
} as const;
