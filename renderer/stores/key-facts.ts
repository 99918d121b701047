import type { KeyFacts } from '#shared/operations/records/key-facts.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { deviceOf, type DeviceKey } from './devices.ts';
import { createResource } from './resource.ts';

/** Facts of each key of a device as a view shows it, by `deviceKey`. */
export const keyFacts = createResource<readonly KeyFacts[], DeviceKey>({
  read(key) {
    return ask('key-facts.list', deviceOf(key));
  },
  changes(key, changed) {
    const { project_id, device_id, view } = deviceOf(key);
    const ofDevice = { project_id, device_id };
    const stops = [
      bridge.subscribe('records.stored', changed, ofDevice),
      bridge.subscribe('records.removed', changed, ofDevice),
      ...(view === 'corrected' ? [bridge.subscribe('corrections.changed', changed, ofDevice)] : []),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 1_000,
});
