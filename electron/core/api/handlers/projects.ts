import { randomUUID } from 'node:crypto';
import { notFound } from '../../errors.ts';
import { accountOf, mayTouch } from '../authorize.ts';
import type { HandlersOf } from '../context.ts';
import { impactOfProject } from '../removal/impact.ts';
import { deleteProject } from '../removal/delete-project.ts';
import { projectView } from '../resources.ts';

export const projectHandlers: HandlersOf<'projects'> = {
  async 'projects.list'({ principal }, { metadata }) {
    const { account_id } = principal;
    const projects = await metadata.read((tables) => tables.list('projects', { account_id }));
    return {
      data: projects
        .filter((project) => mayTouch(principal, project))
        .toSorted((a, b) => b.created - a.created || b.sequence - a.sequence)
        .map(projectView),
    };
  },

  'projects.get': ({ project }) => ({ data: projectView(project) }),

  async 'projects.create'({ input, principal }, context) {
    const { metadata, clock, events } = context;
    const account_id = accountOf(principal, input.account_id, context);
    const project = await metadata.change(async (tables) => {
      if (!(await tables.get('accounts', account_id))) throw notFound('Account');
      return tables.insert('projects', {
        id: randomUUID(),
        account_id,
        name: input.name,
        description: input.description,
        created: clock.now(),
      });
    });
    events.publish('projects.changed', { account_id, project_id: project.id });
    return { data: projectView(project) };
  },

  async 'projects.update'({ input, project }, { metadata, events }) {
    const { name, description } = input;
    const updated = await metadata.change((tables) =>
      tables.patch('projects', project.id, { name, description }),
    );
    if (!updated) throw notFound('Project');
    events.publish('projects.changed', { account_id: project.account_id, project_id: project.id });
    return { data: projectView(updated) };
  },

  async 'projects.delete'({ project }, context) {
    return { data: { deleted: await deleteProject(project, context) } };
  },

  async 'projects.impact'({ project }, context) {
    return { data: await impactOfProject(project, context) };
  },
};
