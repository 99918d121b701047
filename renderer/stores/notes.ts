import type { Note } from '#shared/operations/metadata/notes.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { deviceOf, type DeviceKey } from './devices.ts';
import { createResource } from './resource.ts';

/** The notes of a device as a view shows them, earliest first, by `deviceKey`. */
export const notes = createResource<readonly Note[], DeviceKey>({
  read: (key) => ask('notes.list', deviceOf(key)),
  changes(key, changed) {
    const { project_id, device_id, view } = deviceOf(key);
    const ofDevice = { project_id, device_id };
    const stops = [
      bridge.subscribe('notes.changed', changed, ofDevice),
      // Where a clock is put right they stand elsewhere.
      ...(view === 'corrected' ? [bridge.subscribe('corrections.changed', changed, ofDevice)] : []),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 100,
});
