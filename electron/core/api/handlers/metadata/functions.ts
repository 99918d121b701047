import { hexDigits } from '#shared/values/hex.ts';
import { badRequest, notFound } from '../../../base/errors.ts';
import type { StoredDevice, StoredFunction, StoredProject } from '../../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../../store/metadata/metadata.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { announceFunctions } from '../../functions/announce.ts';
import { decodeRecords } from '../../functions/decode-records.ts';
import { noteDecodes, problemOf, requireDecoder, typedDecoder } from '../../functions/decoding.ts';
import { failuresOf, previewDecoding, tryPayload } from '../../functions/look.ts';
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
      await requireDevice(tables, input.device_id, project.id);
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
    announce(project, created, context);
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
    announce(call.project, updated, context);
    return { data: await viewOf(updated, context) };
  },

  async 'functions.try'({ input, project, signal }, context) {
    const { device_id, script, condition, bytes: typed, port = null } = input;
    const device = await context.metadata.read((tables) => requireDevice(tables, device_id, project.id));
    const received = context.clock.now();
    const bytes = Buffer.from(hexDigits(typed) ?? '', 'hex');
    const uplink = { timestamp: received, received, bytes, port };
    const decoder = typedDecoder(script, condition);
    return { data: { record: await tryPayload(device, uplink, decoder, context, signal) } };
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

  async 'functions.delete'(call, context) {
    const { id, device_id } = call.function;
    const isGone = await context.metadata.change(async (tables) => {
      const removed = await tables.remove('functions', id);
      if (removed) await noteDecodes(tables, device_id);
      return removed;
    });
    if (!isGone) throw notFound('Function');
    announce(call.project, call.function, context);
    return { data: { id } };
  },
};

/** Resolves with a device that a body names. Rejects with a 400 Refusal where it is none of the project. */
async function requireDevice(tables: Tables, device_id: string, project_id: string): Promise<StoredDevice> {
  const device = await tables.get('devices', device_id);
  if (device?.project_id === project_id) return device;
  throw badRequest(`device_id must be the id of a device of this project, got "${device_id}"`);
}

const announce = (
  { account_id, id: project_id }: StoredProject,
  { device_id }: StoredFunction,
  context: Pick<Context, 'events'>,
) => announceFunctions({ account_id, project_id }, [device_id], context);

async function viewOf(row: StoredFunction, { metadata }: Pick<Context, 'metadata'>) {
  const own = await metadata.read((tables) => tables.list('functions', { device_id: row.device_id }));
  return functionView(row, problemOf(row, own));
}

async function deviceOf({ device_id }: StoredFunction, { metadata }: Pick<Context, 'metadata'>) {
  const device = await metadata.read((tables) => tables.get('devices', device_id));
  if (!device) throw notFound('Device');
  return device;
}
