import type { Device, DeviceItem } from '#shared/schemas.ts';
import type { DeviceSummary } from '#shared/operations/device-administration.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { createResource } from './resource.ts';

/** The devices of a project, by its id. Storing devices move in the list, but not at every record. */
export const devices = createResource<readonly DeviceItem[], string>({
  read: (project_id) => ask('devices.list', { project_id }),
  changes(project_id, changed) {
    const ofProject = (event: { readonly project_id: string }) => {
      if (event.project_id === project_id) changed();
    };
    const stops = [
      bridge.subscribe('devices.changed', ofProject),
      bridge.subscribe('records.stored', ofProject),
      bridge.subscribe('records.removed', ofProject),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 1_000,
});

/** A device and what is known of its data. */
export interface DevicePage {
  readonly device: Device;
  readonly summary: DeviceSummary;
}

type DeviceKey = `${string}/${string}`;

/** Names a device for `devicePage`. */
export const deviceKey = (project_id: string, device_id: string): DeviceKey => `${project_id}/${device_id}`;

/** One device, by `deviceKey`. */
export const devicePage = createResource<DevicePage, DeviceKey>({
  async read(key) {
    const [project_id = '', device_id = ''] = key.split('/');
    const [device, summary] = await Promise.all([
      ask('devices.get', { project_id, device_id }),
      ask('devices.summary', { project_id, device_id }),
    ]);
    return { device, summary };
  },
  changes(key, changed) {
    const device_id = key.split('/')[1];
    const ofDevice = (event: { readonly device_id: string }) => {
      if (event.device_id === device_id) changed();
    };
    const stops = [
      bridge.subscribe('devices.changed', ofDevice),
      bridge.subscribe('records.stored', ofDevice),
      bridge.subscribe('records.removed', ofDevice),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 250,
});
