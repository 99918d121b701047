import { notFound } from '../../base/errors.ts';
import { createDeviceToken, hashSecret } from '../../vault/secrets.ts';
import type { StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import { Pace } from '../../turns/pace.ts';
import type { SecretRef } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import { requireRoomForNewDevices } from './most-devices.ts';

type DeviceFields = Pick<
  StoredDevice,
  'name' | 'description' | 'source' | 'tags' | 'brand' | 'model' | 'interval_s'
>;

interface Planned {
  readonly fields: DeviceFields;
  readonly token: string;
  readonly token_hash: string;
  readonly ref: SecretRef & { readonly device_id: string };
}

export interface MadeDevice {
  readonly device: StoredDevice;
  readonly token: string;
}

/** Makes all of the devices, or none: resolves with them in their order. */
export async function makeDevices(
  { id: project_id, account_id }: StoredProject,
  wanted: readonly DeviceFields[],
  {
    metadata,
    vault,
    clock,
    chance,
    events,
    config,
  }: Pick<Context, 'metadata' | 'vault' | 'clock' | 'chance' | 'events' | 'config'>,
): Promise<readonly MadeDevice[]> {
  const planned: Planned[] = [];
  const own = chance.of(account_id);
  const pace = new Pace();
  for (const fields of wanted) {
    const device_id = own.uuid();
    const token = createDeviceToken(own);
    const ref = { kind: 'device-token', project_id, device_id } as const;
    planned.push({ fields, token, token_hash: hashSecret(token), ref });
    await pace.pause();
  }
  const forget = () => Promise.all(planned.map(({ ref }) => vault.delete(ref)));
  try {
    // The vault first: a device whose token nobody can read would be of no use.
    await Promise.all(planned.map(({ ref, token }) => vault.set(ref, token)));
    const made = await metadata.change(async (tables) => {
      if (!(await tables.get('projects', project_id))) throw notFound('Project');
      await requireRoomForNewDevices(tables, project_id, planned.length, config);
      const devices: MadeDevice[] = [];
      for (const { fields, token, token_hash, ref } of planned) {
        const row = {
          ...fields,
          id: ref.device_id,
          project_id,
          avatar: null,
          metadata: {},
          token_hash,
          created: clock.now(),
        };
        devices.push({ device: await tables.insert('devices', row), token });
      }
      return devices;
    });
    // One is enough: whoever shows the project's devices reads all of them.
    const device_id = made[0]?.device.id;
    if (device_id !== undefined) events.publish('devices.changed', { account_id, project_id, device_id });
    return made;
  } catch (error) {
    await forget();
    throw error;
  }
}
