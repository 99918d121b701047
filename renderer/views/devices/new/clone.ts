import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { ask } from '../../../bridge/ask.ts';

/** Gives a device the interval and the key settings of another. */
export async function copySettings(project_id: string, like: FoundDevice, device_id: string): Promise<void> {
  if (like.interval_s !== null)
    await ask('devices.update', { project_id, device_id, interval_s: like.interval_s });
  for (const { device_id: _, ...settings } of await ask('key-settings.list', {
    project_id,
    device_id: like.id,
  }))
    await ask('key-settings.set', { project_id, device_id, ...settings });
}
