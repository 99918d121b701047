import { useMemo } from 'react';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { useConnection } from '../bridge/connection.ts';
import { may } from '../bridge/distant.ts';
import { deviceKey, deviceOf, type DeviceKey } from './devices.ts';
import { createResource } from './resource.ts';

/** The corrections of a device. */
export interface Corrections {
  /** The oldest first: of two that speak of the same the last one holds. */
  readonly list: readonly ShownCorrection[];
  /**
   * Another one whenever what was read of the device may be otherwise although nothing came: corrections were changed, records removed,
   * or a connection was lost, over which neither would have been heard of.
   */
  readonly revision: string;
}

const NONE: Corrections['list'] = [];

/** How often a device's corrections were changed or its records removed, since the page was opened. */
const changes = new Map<DeviceKey, number>();

function asOfNow(of: DeviceKey, list: Corrections['list']): Corrections {
  const versions = list.reduce((sum, { version }) => sum + version, 0);
  const latest = list.reduce((last, { changed }) => (changed > last ? changed : last), '');
  const { made } = useConnection.getState();
  return { list, revision: [made, changes.get(of) ?? 0, list.length, versions, latest].join('/') };
}

/** The corrections of a device, by `deviceKey`; none where the service has no such thing. */
export const corrections = createResource<Corrections, DeviceKey>({
  async read(of) {
    const { project_id, device_id } = deviceOf(of);
    const list = may('corrections.list') ? await ask('corrections.list', { project_id, device_id }) : NONE;
    return asOfNow(of, list);
  },
  changes(of, changed) {
    const { project_id, device_id } = deviceOf(of);
    const heard = () => {
      changes.set(of, (changes.get(of) ?? 0) + 1);
      changed();
    };
    const stops = (['corrections.changed', 'records.removed'] as const).map((event) =>
      bridge.subscribe(event, heard, { project_id, device_id }),
    );
    return () => stops.forEach((stop) => stop());
  },
  restMs: 50,
});

/** The corrections of a device, kept fresh; none until they are known. */
export function useCorrections(project_id: string, device_id: string): Corrections {
  const of = deviceKey(project_id, device_id);
  corrections.useWatch(of);
  // Of the revision that they are read with, where there are none: a figure is not asked for twice.
  const unread = useMemo(() => asOfNow(of, NONE), [of]);
  return corrections.useValue(of).value ?? unread;
}
