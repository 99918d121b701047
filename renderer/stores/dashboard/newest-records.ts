import type { DataRecord } from '#shared/schema/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { deviceOf, type DeviceKey } from '../devices.ts';
import { createResource } from '../resource.ts';

/** As many as anybody looks at on a wall. */
const MOST_RECORDS = 50;

/** The newest records of a device as they are stored, by `deviceKey`. */
export const newestRecords = createResource<readonly DataRecord[], DeviceKey>({
  read(key) {
    const { project_id, device_id } = deviceOf(key);
    return ask('data.list', { project_id, device_id, page: 1, limit: MOST_RECORDS, range: 'all' });
  },
  changes(key, changed) {
    const { project_id, device_id } = deviceOf(key);
    const stops = (['records.stored', 'records.removed'] as const).map((event) =>
      bridge.subscribe(event, changed, { project_id, device_id }),
    );
    return () => stops.forEach((stop) => stop());
  },
  restMs: 1_000,
});
