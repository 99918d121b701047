import type { FoundProject } from '#shared/operations/metadata/projects.ts';
import { notFound } from '../../../base/errors.ts';
import { accountOf } from '../../authorize.ts';
import type { HandlersOf } from '../../context.ts';
import { countDevices, projectsOf } from '../../devices/find-projects.ts';
import { keysOfProject } from '../../devices/project-keys.ts';
import { impactOfProject } from '../../removal/impact.ts';
import { preferencesOf } from '../../preferences.ts';
import { deleteProject } from '../../removal/delete-project.ts';
import { keepProject } from '../../removal/keeping.ts';
import { localProjectView, projectView } from '../../resources.ts';

export const projectHandlers: HandlersOf<'projects'> = {
  async 'projects.list'({ principal }, context) {
    return { data: (await projectsOf(principal, context)).map(projectView) };
  },

  async 'projects.find'({ input, principal }, context) {
    const found: FoundProject[] = [];
    for (const project of await projectsOf(principal, context))
      found.push(await countDevices(project, input.view, context));
    return { data: found };
  },

  async 'projects.keys'({ project, signal }, context) {
    return { data: await keysOfProject(project, context, signal) };
  },

  'projects.get': ({ project }) => ({ data: projectView(project) }),

  async 'projects.create'({ input, principal }, context) {
    const { metadata, clock, chance, events } = context;
    const account_id = accountOf(principal, input.account_id, context);
    const project = await metadata.change(async (tables) => {
      if (!(await tables.get('accounts', account_id))) throw notFound('Account');
      return tables.insert('projects', {
        id: chance.of(account_id).uuid(),
        account_id,
        name: input.name,
        description: input.description,
        ...(input.reason_required && { reason_required: true }),
        created: clock.now(),
      });
    });
    events.publish('projects.changed', { account_id, project_id: project.id });
    return { data: localProjectView(project) };
  },

  async 'projects.update'({ input, project }, { metadata, events }) {
    const { name, description, reason_required } = input;
    const updated = await metadata.change((tables) =>
      tables.patch('projects', project.id, { name, description, reason_required }),
    );
    if (!updated) throw notFound('Project');
    events.publish('projects.changed', { account_id: project.account_id, project_id: project.id });
    return { data: localProjectView(updated) };
  },

  async 'projects.delete'({ project, principal }, context) {
    const { keep_v2_deletes } = await context.metadata.read(preferencesOf);
    const { deleted } = keep_v2_deletes
      ? await keepProject(project, principal, context)
      : { deleted: await deleteProject(project, context) };
    return { data: { deleted } };
  },

  async 'projects.remove'({ project, principal }, context) {
    return { data: await keepProject(project, principal, context) };
  },

  async 'projects.impact'({ project }, context) {
    return { data: await impactOfProject(project, context) };
  },
};
