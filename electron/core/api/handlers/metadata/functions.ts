import { badRequest, notFound } from '../../../base/errors.ts';
import type { StoredFunction } from '../../../store/metadata/metadata-schema.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { decodeRecords } from '../../functions/decode-records.ts';
import { noteDecodes, problemOf, requireDecoder } from '../../functions/decoding.ts';
import { failuresOf, previewDecoding } from '../../functions/look.ts';
import { rangeOf } from '../../range.ts';
import { functionView } from '../../resources.ts';

export const functionHandlers: HandlersOf<'functions'> = {
  async 'functions.list'({ input, project }, { metadata }) {
    const { device_id } = input;
    const rows = await metadata.read((tables) =>
      tables.list('functions', { project_id: project.id, ...(device_id !== undefined && { device_id }) }),
    );
    const own = Map.groupBy(rows, ({ device_id }) => device_id);
    return { data: rows.map((row) => functionView(row, problemOf(row, own.get(row.device_id) ?? []))) };
  },

  'functions.get': async (call, context) => ({ data: await viewOf(call.function, context) }),

  async 'functions.create'({ input, project }, context) {
    const { metadata, clock, chance } = context;
    const created = await metadata.change(async (tables) => {
      if ((await tables.get('devices', input.device_id))?.project_id !== project.id)
        throw badRequest(`device_id must be the id of a device of this project, got "${input.device_id}"`);
      const row = await tables.insert('functions', {
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
      await noteDecodes(tables, row.device_id);
      return row;
    });
    return { data: await viewOf(created, context) };
  },

  async 'functions.update'(call, context) {
    const { name, type, enabled, script, condition } = call.input;
    const { id, device_id } = call.function;
    const updated = await context.metadata.change(async (tables) => {
      const row = await tables.patch('functions', id, { name, type, enabled, script, condition });
      if (row) await noteDecodes(tables, device_id);
      return row;
    });
    if (!updated) throw notFound('Function');
    return { data: await viewOf(updated, context) };
  },

  async 'functions.failures'(call, context) {
    return { data: await failuresOf(call.function.device_id, context, call.signal) };
  },

  async 'functions.preview'(call, context) {
    const { function: row, input, signal } = call;
    const { script = row.script, condition = row.condition } = input;
    const decoder = requireDecoder({ ...row, script, condition });
    const device = await deviceOf(row, context);
    return { data: await previewDecoding(device, rangeOf(input), decoder, context, signal) };
  },

  async 'functions.decode'(call, context) {
    const { function: row, input, project, principal, signal } = call;
    const decoder = requireDecoder(row);
    const device = await deviceOf(row, context);
    const range = rangeOf(input);
    return { data: await decodeRecords({ project, device, range, decoder, principal, signal }, context) };
  },

  async 'functions.delete'(call, { metadata }) {
    const { id, device_id } = call.function;
    const isGone = await metadata.change(async (tables) => {
      const removed = await tables.remove('functions', id);
      if (removed) await noteDecodes(tables, device_id);
      return removed;
    });
    if (!isGone) throw notFound('Function');
    return { data: { id } };
  },
};

async function viewOf(row: StoredFunction, { metadata }: Pick<Context, 'metadata'>) {
  const own = await metadata.read((tables) => tables.list('functions', { device_id: row.device_id }));
  return functionView(row, problemOf(row, own));
}

async function deviceOf({ device_id }: StoredFunction, { metadata }: Pick<Context, 'metadata'>) {
  const device = await metadata.read((tables) => tables.get('devices', device_id));
  if (!device) throw notFound('Device');
  return device;
}
