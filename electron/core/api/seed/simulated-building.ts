import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import { NO_TROUBLE, shapedKeys } from '#shared/operations/service/simulator-fields.ts';
import { notFound } from '../../base/errors.ts';
import { BUILDING, BUILDING_EVERY_MS, BUILDING_NAME, buildingStart } from '../../simulate/building.ts';
import {
  keySettingsId,
  type StoredDevice,
  type StoredProject,
} from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';
import { makeDevices } from '../devices/make-devices.ts';
import { deleteProject } from '../removal/delete-project.ts';

interface Wanted {
  readonly account_id: string;
  readonly name: string | undefined;
  /** Of its history, at least. */
  readonly hours: number;
  readonly seed: number | undefined;
}

/** Makes a project of simulated devices with a history, which goes on: all of it, or nothing. */
export async function makeBuilding(
  { account_id, name = BUILDING_NAME, hours, seed }: Wanted,
  context: Context,
): Promise<StoredProject> {
  const { metadata, clock, chance, events, simulators } = context;
  const project = await metadata.change(async (tables) => {
    if (!(await tables.get('accounts', account_id))) throw notFound('Account');
    const id = chance.of(account_id).uuid();
    const description = 'Devices that the service simulates. Delete the project, and they are gone.';
    return tables.insert('projects', { id, account_id, name, description, created: clock.now() });
  });
  try {
    const fields = BUILDING.map((device) => ({
      name: device.name,
      description: device.description,
      tags: [...device.tags],
      source: 'http' as const,
      brand: 'Simulated',
      model: 'Simulated',
      interval_s: BUILDING_EVERY_MS / 1000,
    }));
    const made = (await makeDevices(project, fields, context)).map(({ device }) => device);
    await setKeys(made, context);
    const start = buildingStart(clock.now(), hours);
    const drawn = seed ?? simulators.drawSeed(account_id);
    for (const [i, { id, name: called }] of made.entries()) {
      const { keys, trouble } = BUILDING[i]!;
      const simulator = await simulators.create(
        { account_id, project_id: project.id, device_id: id, name: called },
        {
          every_ms: BUILDING_EVERY_MS,
          keys: shapedKeys.parse(mapped(keys, ({ shape }) => shape)),
          jitter_ms: 0,
          start,
          through: 'store',
          // Each device has another one, or their noise would be the same.
          seed: (drawn + i) % Number.MAX_SAFE_INTEGER,
          trouble: { ...NO_TROUBLE, ...trouble },
        },
      );
      await simulators.caughtUp(simulator.id);
    }
  } catch (error) {
    await deleteProject(project, context);
    throw error;
  }
  events.publish('projects.changed', { account_id, project_id: project.id });
  return project;
}

const mapped = <From, To>(all: Readonly<Record<string, From>>, to: (one: From) => To) =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, to(one)]));

/** How the keys of all are shown. */
async function setKeys(
  devices: readonly StoredDevice[],
  { metadata, clock }: Pick<Context, 'metadata' | 'clock'>,
): Promise<void> {
  await metadata.change(async (tables) => {
    for (const [i, { id: device_id, project_id }] of devices.entries())
      for (const [key, { shape: _, ...settings }] of Object.entries(BUILDING[i]!.keys)) {
        const id = keySettingsId(device_id, key);
        const row = { id, project_id, device_id, key, ...NO_SETTINGS, ...settings, created: clock.now() };
        await tables.insert('key_settings', row);
      }
  });
}
