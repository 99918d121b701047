import type { ChanceNow } from '#shared/operations/service/chance.ts';
import { ask } from '../bridge/ask.ts';
import { createResource } from './resource.ts';

/** Whether ids, keys and tokens follow from a seed. Another start of the service may have none: it is read with each connection. */
export const chance = createResource<ChanceNow, 'service'>({
  read: () => ask('chance.get', {}),
  changes: () => () => {},
});
