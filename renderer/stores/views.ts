import type { View } from '#shared/operations/metadata/views.ts';
import { ask } from '../bridge/ask.ts';
import { createResource } from './resource.ts';

const listeners = new Set<() => void>();

/** The saved views of the account, oldest first. No event speaks of them: whoever changes one calls `viewsChanged`. */
export const views = createResource<readonly View[], 'all'>({
  read: () => ask('views.list', {}),
  changes(_all, changed) {
    listeners.add(changed);
    return () => void listeners.delete(changed);
  },
});

export function viewsChanged(): void {
  for (const changed of listeners) changed();
}
