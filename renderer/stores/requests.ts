import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { createResource } from './resource.ts';

/** As many as are kept of a device for sure. */
const OF_DEVICE = 50;
const REFUSED = 1000;

/** The last requests of a device, by its id, newest first. */
export const requestsOf = createResource<readonly SeenRequest[], string>({
  read: (device_id) => ask('requests.list', { device_id, limit: OF_DEVICE }),
  changes: (device_id, changed) => bridge.subscribe('requests.seen', changed, { device_id }),
  restMs: 250,
});

/** Latest refused requests of all senders. */
export const refusedRequests = createResource<readonly SeenRequest[], 'all'>({
  read: () => ask('requests.list', { status: 'refused', limit: REFUSED }),
  changes: (_all, changed) =>
    bridge.subscribe('requests.seen', ({ refused }) => {
      if (refused > 0) changed();
    }),
  restMs: 1000,
});
