import type { OtherService } from '#shared/operations/service/other-services.ts';
import { askHome } from '../bridge/ask.ts';
import { createResource } from './resource.ts';

const listeners = new Set<() => void>();

/** The services elsewhere that windows of this machine open. No event speaks of them: whoever changes one calls `otherServicesChanged`. */
export const otherServices = createResource<readonly OtherService[], 'all'>({
  read: () => askHome('other-services.list', {}),
  changes(_all, changed) {
    listeners.add(changed);
    return () => void listeners.delete(changed);
  },
});

export function otherServicesChanged(): void {
  for (const changed of listeners) changed();
}
