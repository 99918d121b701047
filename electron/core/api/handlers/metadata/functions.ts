import { RULE } from '#shared/domain/rule-names.ts';
import { hexDigits } from '#shared/values/hex.ts';
import { badRequest, notFound } from '../../../base/errors.ts';
import type { StoredFunction, StoredProject } from '../../../store/metadata/metadata-schema.ts';
import { NONE_ENDED, type Ended } from '../../alarms/end-alarms.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { announceAlarms, announceFunctions } from '../../../functions/announce.ts';
import { decodeRecords } from '../../functions/decode-records.ts';
import { problemOf, requireDecoder, typedDecoder } from '../../functions/decoding.ts';
import { failuresOf, previewDecoding, tryPayload } from '../../functions/look.ts';
import { isRule, requireDevice } from '../../alarms/rule-rows.ts';
import { changeFunction, createFunction, removeFunction } from '../../functions/write-functions.ts';
import { rangeOf } from '../../range.ts';
import { watchProblems } from '../../rules/watch-problems.ts';
import { functionView } from '../../resources.ts';

export const functionHandlers: HandlersOf<'functions'> = {
  async 'functions.list'({ input, project }, context) {
    const { metadata, clock, ruleProblems } = context;
    const { device_id } = input;
    const rows = await metadata.read((tables) =>
      tables.list('functions', { project_id: project.id, ...(device_id !== undefined && { device_id }) }),
    );
    const own = Map.groupBy(rows, (row) => row.device_id);
    const watched = await watchProblems(project.id, rows, context);
    const now = clock.now();
    return {
      data: rows.map((row) => {
        const problem = problemOf(row, own.get(row.device_id) ?? []) ?? ruleProblems.of(row.id);
        return functionView(row, problem ?? watched.get(row.id) ?? null, now);
      }),
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
    announce(project, [created.device_id], context);
    return { data: await viewOf(created, context) };
  },

  async 'functions.update'(call, context) {
    const { name, type, enabled, script, condition, device_id } = call.input;
    const fields = { name, type, enabled, script, condition, device_id };
    const now = context.clock.now();
    const { row, ended } = await context.metadata.change((tables) =>
      changeFunction(tables, call.function.id, fields, now),
    );
    announce(call.project, [call.function.device_id, row.device_id], context, ended);
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
    announce(call.project, [row.device_id], context);
    return { data: await viewOf(row, context) };
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
    announce(call.project, [call.function.device_id], context, ended);
    return { data: { id } };
  },
};

async function viewOf(
  row: StoredFunction,
  context: Pick<Context, 'metadata' | 'records' | 'clock' | 'ruleProblems'>,
) {
  const { metadata, clock, ruleProblems } = context;
  const { device_id } = row;
  const own =
    isRule(row) || device_id === null
      ? []
      : await metadata.read((tables) => tables.list('functions', { device_id }));
  const watched = await watchProblems(row.project_id, [row], context);
  const problem = problemOf(row, own) ?? ruleProblems.of(row.id) ?? watched.get(row.id) ?? null;
  return functionView(row, problem, clock.now());
}

async function deviceOf({ device_id }: StoredFunction, { metadata }: Pick<Context, 'metadata'>) {
  if (device_id === null)
    throw badRequest('The function is of no single device: it watches the devices with a tag.');
  const device = await metadata.read((tables) => tables.get('devices', device_id));
  if (!device) throw notFound('Device');
  return device;
}

/** Tells windows of functions of these devices, and of what ended with them. */
function announce(
  { account_id, id: project_id }: StoredProject,
  devices: readonly (string | null)[],
  context: Pick<Context, 'events'>,
  { alarms, notes }: Ended = NONE_ENDED,
): void {
  const of = { account_id, project_id };
  announceFunctions(of, devices, context);
  announceAlarms(of, alarms, context);
  for (const device_id of notes) context.events.publish('notes.changed', { ...of, device_id });
}
