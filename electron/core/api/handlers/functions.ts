import { randomUUID } from 'node:crypto';
import { badRequest, notFound } from '../../errors.ts';
import { indexOf } from '../../store/metadata/metadata-index.ts';
import { nextSequence } from '../../store/metadata/metadata-schema.ts';
import type { Handlers } from '../context.ts';
import { functionView } from '../resources.ts';

export const functionHandlers: Handlers<'functions'> = {
  'functions.list': ({ project }, { metadata }) => ({
    data: indexOf(metadata.state).functionsOf(project.id).map(functionView),
  }),

  'functions.get': (call) => ({ data: functionView(call.function) }),

  async 'functions.create'({ input, project }, { metadata, clock }) {
    const created = await metadata.update((draft) => {
      if (draft.devices[input.device_id]?.project_id !== project.id)
        throw badRequest(`device_id must be the id of a device of this project, got "${input.device_id}"`);
      const row = {
        id: randomUUID(),
        project_id: project.id,
        device_id: input.device_id,
        name: input.name,
        type: input.type,
        enabled: input.enabled,
        script: input.script ?? null,
        condition: input.condition ?? null,
        created: clock.now(),
        sequence: nextSequence(draft),
      };
      draft.functions[row.id] = row;
      return row;
    });
    return { data: functionView(created) };
  },

  async 'functions.update'(call, { metadata }) {
    const { input } = call;
    const updated = await metadata.update((draft) => {
      const row = draft.functions[call.function.id];
      if (!row) throw notFound('Function');
      row.name = input.name ?? row.name;
      row.type = input.type ?? row.type;
      row.enabled = input.enabled ?? row.enabled;
      if (input.script !== undefined) row.script = input.script;
      if (input.condition !== undefined) row.condition = input.condition;
      return row;
    });
    return { data: functionView(updated) };
  },

  async 'functions.delete'(call, { metadata }) {
    const { id } = call.function;
    await metadata.update((draft) => {
      if (!draft.functions[id]) throw notFound('Function');
      delete draft.functions[id];
    });
    return { data: { id } };
  },
};
