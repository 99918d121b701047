import type { Simulator } from '#shared/operations/service/simulators.ts';
import { ask } from '../../../bridge/ask.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { may } from '../../../bridge/distant.ts';
import { createResource } from '../../../stores/resource.ts';

let isRunning = false;

/** The simulators of the account. While one runs, its counts are read with what is stored. */
export const simulators = createResource<readonly Simulator[], 'all'>({
  async read() {
    const found = may('simulators.list') ? await ask('simulators.list', {}) : [];
    isRunning = found.some(({ state }) => state === 'running');
    return found;
  },
  changes(_all, changed) {
    const stops = [
      bridge.subscribe('simulators.changed', changed),
      bridge.subscribe('records.stored', () => {
        if (isRunning) changed();
      }),
      // What a door refuses is not stored.
      bridge.subscribe('requests.seen', ({ refused }) => {
        if (isRunning && refused > 0) changed();
      }),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 1000,
});

/** The simulators of a device, in the order in which they were started. */
export function useSimulatorsOf(device_id: string): readonly Simulator[] {
  const { value } = simulators.useValue('all');
  return value?.filter((simulator) => simulator.device_id === device_id) ?? [];
}
