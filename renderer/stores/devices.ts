import type { View } from '#shared/domain/corrections.ts';
import type { Device, Project } from '#shared/schema/schemas.ts';
import type { DeviceSummary, FoundDevice } from '#shared/operations/metadata/devices.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { devicesChanged, forgetDevices, projectOf, readAllDevices, readDevices } from './found-devices.ts';
import { createResource } from './resource.ts';

/** The devices of a project, by `devicesOf`. What they store shows, but not at every record. */
export const devices = createResource<readonly FoundDevice[], string>({
  read: readDevices,
  changes(of, changed) {
    const ofProject = { project_id: projectOf(of) };
    const tell = (device_id: string | null) => {
      devicesChanged(of, device_id);
      changed();
    };
    devicesChanged(of, null);
    const stops = [
      // A device may have come or gone, and many at once, as with their project.
      bridge.subscribe('devices.changed', () => tell(null), ofProject),
      bridge.subscribe('projects.changed', () => tell(null), ofProject),
      bridge.subscribe('records.stored', ({ device_id }) => tell(device_id), ofProject),
      bridge.subscribe('records.removed', ({ device_id }) => tell(device_id), ofProject),
      bridge.subscribe('corrections.changed', ({ device_id }) => tell(device_id), ofProject),
    ];
    return () => {
      stops.forEach((stop) => stop());
      forgetDevices(of);
    };
  },
  restMs: 1_000,
});

/** A device, and where it is. */
export interface PlacedDevice {
  readonly project: Project;
  readonly device: FoundDevice;
}

/** The devices of every project: for who looks for one without knowing where. Records that come in do not matter. */
export const everyDevice = createResource<readonly PlacedDevice[], 'all'>({
  async read() {
    const placed: PlacedDevice[] = [];
    for (const project of await ask('projects.list', {}))
      for (const device of await readAllDevices(project.id)) placed.push({ project, device });
    return placed;
  },
  changes(_all, changed) {
    const stops = [
      bridge.subscribe('devices.changed', changed),
      bridge.subscribe('projects.changed', changed),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 1_000,
});

/** A device and what is known of its data. */
export interface DeviceDetail {
  readonly device: Device;
  readonly summary: DeviceSummary;
}

export type DeviceKey = `${string}/${string}`;

/** Names a device, as a view shows it, for `deviceDetail` and what else is read of one device. */
export const deviceKey = (project_id: string, device_id: string, view: View = 'corrected'): DeviceKey =>
  view === 'raw' ? `${project_id}/${device_id}/raw` : `${project_id}/${device_id}`;

/** Returns what `deviceKey` was told. */
export function deviceOf(key: DeviceKey) {
  const [project_id = '', device_id = '', raw] = key.split('/');
  const view: View = raw === undefined ? 'corrected' : 'raw';
  return { project_id, device_id, view };
}

/** One device, by `deviceKey`. */
export const deviceDetail = createResource<DeviceDetail, DeviceKey>({
  async read(key) {
    const { project_id, device_id, view } = deviceOf(key);
    const [device, summary] = await Promise.all([
      ask('devices.get', { project_id, device_id }),
      ask('devices.summary', { project_id, device_id, view }),
    ]);
    return { device, summary };
  },
  changes(key, changed) {
    const { project_id, device_id, view } = deviceOf(key);
    const ofDevice = { project_id, device_id };
    const stops = [
      bridge.subscribe('projects.changed', changed, { project_id }),
      bridge.subscribe('devices.changed', changed, ofDevice),
      bridge.subscribe('records.stored', changed, ofDevice),
      bridge.subscribe('records.removed', changed, ofDevice),
      ...(view === 'corrected' ? [bridge.subscribe('corrections.changed', changed, ofDevice)] : []),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 250,
});
