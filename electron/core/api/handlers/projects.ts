import { randomUUID } from 'node:crypto';
import { notFound } from '../../errors.ts';
import { nextSequence } from '../../store/metadata/metadata-schema.ts';
import { mayTouch } from '../authorize.ts';
import type { Handlers } from '../context.ts';
import { impactOfProject } from '../removal/impact.ts';
import { deleteProject } from '../removal/removal.ts';
import { projectView } from '../resources.ts';

export const projectHandlers: Handlers<'projects'> = {
  'projects.list': ({ principal }, { metadata }) => ({
    data: Object.values(metadata.state.projects)
      .filter((project) => mayTouch(principal, project))
      .toSorted((a, b) => b.created - a.created || b.sequence - a.sequence)
      .map(projectView),
  }),

  'projects.get': ({ project }) => ({ data: projectView(project) }),

  async 'projects.create'({ input, principal }, { metadata, clock, events }) {
    const account_id = input.account_id ?? principal.account_id;
    const project = await metadata.update((draft) => {
      if (!draft.accounts[account_id]) throw notFound('Account');
      const row = {
        id: randomUUID(),
        account_id,
        name: input.name,
        description: input.description,
        created: clock.now(),
        sequence: nextSequence(draft),
      };
      draft.projects[row.id] = row;
      return row;
    });
    events.publish('projects.changed', { account_id, project_id: project.id });
    return { data: projectView(project) };
  },

  async 'projects.update'({ input, project }, { metadata, events }) {
    const updated = await metadata.update((draft) => {
      const row = draft.projects[project.id];
      if (!row) throw notFound('Project');
      row.name = input.name ?? row.name;
      row.description = input.description ?? row.description;
      return row;
    });
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
