import { create } from 'zustand';
import type { ChanceNow } from '#shared/operations/service/chance.ts';
import type { ClockNow } from '#shared/operations/service/clock.ts';
import type { FaultsNow } from '#shared/operations/service/faults.ts';
import { parseInstant } from '#shared/values/time.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { goBy } from '../time.ts';
import { createResource } from './resource.ts';

/* What a rig has set: the clock, chance and faults of the service. */

/** How often the clock was read: the present may be another one since. */
export const useClockReads = create<{ readonly reads: number }>(() => ({ reads: 0 }));

/** ms between looks at a clock that goes otherwise than the machine's. */
const REFRESH_MS = 5000;

/** The service's clock: that of the machine but where a rig has started it. */
export const clock = createResource<ClockNow, 'service'>({
  read: async () => {
    const found = await ask('clock.get', {});
    goesApart = found.mode !== 'system';
    goBy(goesApart ? { now: parseInstant(found.now) ?? 0, rate: found.rate } : null);
    useClockReads.setState(({ reads }) => ({ reads: reads + 1 }));
    return found;
  },
  changes(_service, changed) {
    const stop = bridge.subscribe('clock.changed', changed);
    const timer = setInterval(() => {
      if (goesApart) changed();
    }, REFRESH_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  },
});

let goesApart = false;

/** Whether ids, keys and tokens follow from a seed. Another start of the service may have none: it is read with each connection. */
export const chance = createResource<ChanceNow, 'service'>({
  read: () => ask('chance.get', {}),
  changes: () => () => {},
});

/** What goes wrong on purpose, in the account of this window. How often a rule has acted is as of the last reading. */
export const faults = createResource<FaultsNow, 'service'>({
  read: () => ask('faults.get', {}),
  changes: (_service, changed) => bridge.subscribe('faults.changed', changed),
});
