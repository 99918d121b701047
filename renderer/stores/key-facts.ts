import type { KeyFacts } from '#shared/operations/records/key-facts.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { deviceKey } from './devices.ts';
import { createResource } from './resource.ts';

/** Facts of each key of a device, by `deviceKey`. */
export const keyFacts = createResource<readonly KeyFacts[], ReturnType<typeof deviceKey>>({
  read(key) {
    const [project_id = '', device_id = ''] = key.split('/');
    return ask('key-facts.list', { project_id, device_id });
  },
  changes(key, changed) {
    const [project_id, device_id] = key.split('/');
    const ofDevice = { project_id, device_id };
    const stops = [
      bridge.subscribe('records.stored', changed, ofDevice),
      bridge.subscribe('records.removed', changed, ofDevice),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 1_000,
});
