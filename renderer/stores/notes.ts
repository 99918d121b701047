import type { Note } from '#shared/operations/metadata/notes.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { deviceKey } from './devices.ts';
import { createResource } from './resource.ts';

/** The notes of a device, earliest first, by `deviceKey`. */
export const notes = createResource<readonly Note[], ReturnType<typeof deviceKey>>({
  read(key) {
    const [project_id = '', device_id = ''] = key.split('/');
    return ask('notes.list', { project_id, device_id });
  },
  changes(key, changed) {
    const [project_id, device_id] = key.split('/');
    return bridge.subscribe('notes.changed', changed, { project_id, device_id });
  },
  restMs: 100,
});
