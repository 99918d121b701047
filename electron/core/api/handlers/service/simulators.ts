import type { CheckedInput } from '#shared/operations/index.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest, forbidden, notFound } from '../../../base/errors.ts';
import { recordingOf, type Recording } from '../../../simulate/recordings.ts';
import { mayTouch } from '../../authorize.ts';
import type { Principal } from '../../call.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { projectView } from '../../resources.ts';
import { makeBuilding } from '../../seed/simulated-building.ts';

export const simulatorHandlers: HandlersOf<'simulators'> = {
  async 'simulators.list'({ principal }, { simulators }) {
    const all = await simulators.list(principal.account_id);
    return {
      data: all
        .filter(({ account_id, project_id }) => mayTouch(principal, { id: project_id, account_id }))
        .map(({ view }) => view),
    };
  },

  async 'simulators.create'({ input, principal }, context) {
    const { project_id, device_id, ...asked } = input;
    const device = await deviceOf(project_id, device_id, principal, context);
    const recording =
      asked.replay === undefined ? null : await recordingFor(asked.replay, principal, context);
    return { data: await context.simulators.create(device, asked, recording) };
  },

  async 'simulators.building'({ input, principal: { account_id } }, context) {
    const { name, hours, seed } = input;
    return { data: projectView(await makeBuilding({ account_id, name, hours, seed }, context)) };
  },

  async 'simulators.delete'({ input, principal }, { simulators }) {
    const found = await simulators.find(input.simulator_id);
    if (found === null) throw notFound('Simulator');
    if (!mayTouch(principal, { id: found.project_id, account_id: found.account_id }))
      throw forbidden('This API key has no access to this simulator.');
    const data = await simulators.remove(input.simulator_id);
    if (data === null) throw notFound('Simulator');
    return { data };
  },
};

/** The device that a body names. Rejects with a 404 or 403 Refusal. */
async function deviceOf(
  project_id: string,
  device_id: string,
  principal: Principal,
  { metadata }: Pick<Context, 'metadata'>,
) {
  const [project, device] = await metadata.read(
    async (tables) =>
      [await tables.get('projects', project_id), await tables.get('devices', device_id)] as const,
  );
  if (!project) throw notFound('Project');
  if (device?.project_id !== project_id) throw notFound('Device');
  if (!mayTouch(principal, project)) throw forbidden('This API key has no access to this project.');
  return { account_id: project.account_id, project_id, device_id, name: device.name };
}

/** What a replay is of. Rejects with a 400 or 403 Refusal. */
async function recordingFor(
  { device_id, file }: NonNullable<CheckedInput<'simulators.create'>['replay']>,
  principal: Principal,
  { metadata, records, uploads }: Pick<Context, 'metadata' | 'records' | 'uploads'>,
): Promise<Recording> {
  if (device_id === undefined) {
    const recording = uploads.recording(principal.account_id, file ?? '');
    if (recording === null) throw badRequest(`replay.file must be the id of an upload, got ${quote(file)}`);
    return recording;
  }
  const project = await metadata.read(async (tables) => {
    const device = await tables.get('devices', device_id);
    return device && tables.get('projects', device.project_id);
  });
  if (!project) throw badRequest(`replay.device_id must be the id of a device, got ${quote(device_id)}`);
  if (!mayTouch(principal, project))
    throw forbidden('This API key has no access to the device of the replay.');
  const recording = await recordingOf(device_id, records);
  if (recording === null) throw badRequest('replay.device_id must be a device that has records: it has none');
  return recording;
}
