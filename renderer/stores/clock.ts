import type { ClockNow } from '#shared/operations/service/clock.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { createResource } from './resource.ts';

/** ms between looks at a clock that goes otherwise than the machine's. */
const REFRESH_MS = 5000;

/** The service's clock: that of the machine but where a rig has started it. */
export const clock = createResource<ClockNow, 'service'>({
  read: async () => {
    const now = await ask('clock.get', {});
    goesApart = now.mode !== 'system';
    return now;
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
