import { RULE } from '#shared/domain/rule-names.ts';
import { badRequest, notFound } from '../../../base/errors.ts';
import type { StoredFunction, StoredProject } from '../../../store/metadata/metadata-schema.ts';
import type { Ended } from '../../alarms/end-alarms.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { decodeRecords } from '../../functions/decode-records.ts';
import { problemOf, requireDecoder } from '../../functions/decoding.ts';
import { isRule } from '../../functions/rule-rows.ts';
import { changeFunction, createFunction, removeFunction } from '../../functions/write-functions.ts';
import { failuresOf, previewDecoding } from '../../functions/look.ts';
import { rangeOf } from '../../range.ts';
import { functionView } from '../../resources.ts';

export const functionHandlers: HandlersOf<'functions'> = {
  async 'functions.list'({ project }, { metadata, clock }) {
    const rows = await metadata.read((tables) => tables.list('functions', { project_id: project.id }));
    const own = Map.groupBy(rows, ({ device_id }) => device_id);
    const now = clock.now();
    return {
      data: rows.map((row) => functionView(row, problemOf(row, own.get(row.device_id) ?? []), now)),
    };
  },

  'functions.get': async (call, context) => ({ data: await viewOf(call.function, context) }),

  async 'functions.create'({ input, project }, context) {
    const { clock, chance } = context;
    const { name, type, enabled, script = null, condition = null, device_id = null } = input;
    const id = chance.of(project.account_id).uuid();
    const of = { id, project_id: project.id, device_id };
    const created = await context.metadata.change((tables) =>
      createFunction(tables, { ...of, name, type, enabled, script, condition, created: clock.now() }),
    );
    return { data: await viewOf(created, context) };
  },

  async 'functions.update'(call, context) {
    const { name, type, enabled, script, condition, device_id } = call.input;
    const fields = { name, type, enabled, script, condition, device_id };
    const now = context.clock.now();
    const { row, ended } = await context.metadata.change((tables) =>
      changeFunction(tables, call.function.id, fields, now),
    );
    announceEnded(ended, call.project, context);
    return { data: await viewOf(row, context) };
  },

  async 'functions.silence'(call, context) {
    if (!isRule(call.function))
      throw badRequest(`The type of the function is "${call.function.type}"; only a "${RULE}" is silenced.`);
    const silenced = call.input.until;
    const row = await context.metadata.change((tables) =>
      tables.patch('functions', call.function.id, { silenced }),
    );
    if (!row) throw notFound('Function');
    return { data: await viewOf(row, context) };
  },

  async 'functions.failures'(call, context) {
    return { data: await failuresOf((await deviceOf(call.function, context)).id, context, call.signal) };
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
    const { id } = call.function;
    const now = context.clock.now();
    const ended = await context.metadata.change((tables) => removeFunction(tables, id, now));
    announceEnded(ended, call.project, context);
    return { data: { id } };
  },
};

async function viewOf(row: StoredFunction, { metadata, clock }: Pick<Context, 'metadata' | 'clock'>) {
  const { device_id } = row;
  const own = isRule(row) || device_id === null ? [] : await metadata.read((tables) => tables.list('functions', { device_id }));
  return functionView(row, problemOf(row, own), clock.now());
}

async function deviceOf({ device_id }: StoredFunction, { metadata }: Pick<Context, 'metadata'>) {
  if (device_id === null)
    throw badRequest('The function is of no single device: it watches the devices with a tag.');
  const device = await metadata.read((tables) => tables.get('devices', device_id));
  if (!device) throw notFound('Device');
  return device;
}

/** Says of devices that alarms of theirs ended, and with these their notes. */
function announceEnded(
  { alarms, notes }: Ended,
  { account_id, id: project_id }: StoredProject,
  { events }: Pick<Context, 'events'>,
): void {
  for (const device_id of alarms) events.publish('alarms.changed', { account_id, project_id, device_id });
  for (const device_id of notes) events.publish('notes.changed', { account_id, project_id, device_id });
}
