import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { ask } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { createResource } from '../resource.ts';
import { askedBy, MOST_IDS, type LiveGroup } from './live-groups.ts';

/** The devices of a group as they are now, and the last value of its key: read once a second at most, whatever they store. */
export const liveValues = createResource<readonly FoundDevice[], LiveGroup>({
  read(group) {
    const { project_id, key, ids } = askedBy(group);
    const asked = { project_id, keys: key, ids: ids.join(','), view: 'corrected', limit: MOST_IDS } as const;
    return ask('devices.find', asked);
  },
  changes(group, changed) {
    const { project_id, ids } = askedBy(group);
    const own = new Set(ids);
    const heard = ({ device_id }: { readonly device_id: string }) => {
      if (own.has(device_id)) changed();
    };
    const stops = [
      bridge.subscribe('records.stored', heard, { project_id }),
      bridge.subscribe('records.removed', heard, { project_id }),
      bridge.subscribe('corrections.changed', heard, { project_id }),
      // A normal range that is set for all of them is told of one.
      bridge.subscribe('devices.changed', changed, { project_id }),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 1_000,
});
