import { badRequest, notFound } from '../../../base/errors.ts';
import type { HandlersOf } from '../../context.ts';
import { functionView } from '../../resources.ts';

export const functionHandlers: HandlersOf<'functions'> = {
  async 'functions.list'({ project }, { metadata }) {
    const functions = await metadata.read((tables) => tables.list('functions', { project_id: project.id }));
    return { data: functions.map(functionView) };
  },

  'functions.get': (call) => ({ data: functionView(call.function) }),

  async 'functions.create'({ input, project }, { metadata, clock, chance }) {
    const created = await metadata.change(async (tables) => {
      if ((await tables.get('devices', input.device_id))?.project_id !== project.id)
        throw badRequest(`device_id must be the id of a device of this project, got "${input.device_id}"`);
      return tables.insert('functions', {
        id: chance.of(project.account_id).uuid(),
        project_id: project.id,
        device_id: input.device_id,
        name: input.name,
        type: input.type,
        enabled: input.enabled,
        script: input.script ?? null,
        condition: input.condition ?? null,
        created: clock.now(),
      });
    });
    return { data: functionView(created) };
  },

  async 'functions.update'(call, { metadata }) {
    const { name, type, enabled, script, condition } = call.input;
    const updated = await metadata.change((tables) =>
      tables.patch('functions', call.function.id, { name, type, enabled, script, condition }),
    );
    if (!updated) throw notFound('Function');
    return { data: functionView(updated) };
  },

  async 'functions.delete'(call, { metadata }) {
    const { id } = call.function;
    if (!(await metadata.change((tables) => tables.remove('functions', id)))) throw notFound('Function');
    return { data: { id } };
  },
};
