import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { ask } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { deviceOf, type DeviceKey } from '../devices.ts';
import { createResource } from '../resource.ts';

/** What a device has stored, by `deviceKey`, as it was when somebody began to look: what comes since `liveValues` tells. */
export const summaries = createResource<DeviceSummary, DeviceKey>({
  read: (key) => ask('devices.summary', deviceOf(key)),
  changes(key, changed) {
    const { project_id, device_id } = deviceOf(key);
    const ofDevice = { project_id, device_id };
    const stops = [
      bridge.subscribe('devices.changed', changed, ofDevice),
      bridge.subscribe('records.removed', changed, ofDevice),
      bridge.subscribe('corrections.changed', changed, ofDevice),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 1_000,
});
