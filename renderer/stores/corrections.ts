import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { may } from '../bridge/distant.ts';
import { deviceKey, type DeviceKey } from './devices.ts';
import { createResource } from './resource.ts';

/** The corrections of a device. */
export interface Corrections {
  /** The oldest first: of two that speak of the same the last one holds. */
  readonly list: readonly ShownCorrection[];
  /** Another one whenever what is read through them may be otherwise; empty while there never were any. */
  readonly revision: string;
}

const NONE: Corrections = { list: [], revision: '' };

/** How often corrections were changed, of a device or of one before it. */
const changes = new Map<DeviceKey, number>();

/** The corrections of a device, by `deviceKey`; none where the service has no such thing. */
export const corrections = createResource<Corrections, DeviceKey>({
  async read(of) {
    const [project_id = '', device_id = ''] = of.split('/');
    if (!may('corrections.list')) return NONE;
    const list = await ask('corrections.list', { project_id, device_id });
    const heard = changes.get(of) ?? 0;
    if (list.length === 0 && heard === 0) return NONE;
    const versions = list.reduce((sum, { version }) => sum + version, 0);
    const latest = list.reduce((last, { changed }) => (changed > last ? changed : last), '');
    return { list, revision: [heard, list.length, versions, latest].join('/') };
  },
  changes(of, changed) {
    const [project_id, device_id] = of.split('/');
    const heard = () => {
      changes.set(of, (changes.get(of) ?? 0) + 1);
      changed();
    };
    return bridge.subscribe('corrections.changed', heard, { project_id, device_id });
  },
  restMs: 50,
});

/** The corrections of a device, kept fresh; none until they are known. */
export function useCorrections(project_id: string, device_id: string): Corrections {
  const of = deviceKey(project_id, device_id);
  corrections.useWatch(of);
  return corrections.useValue(of).value ?? NONE;
}
