import type { ServiceStatus } from '#shared/operations/service.ts';
import type { ApiKey } from '#shared/schemas.ts';
import { ask } from '../bridge/ask.ts';
import { createResource } from './resource.ts';

const STATUS_REFRESH_MS = 10_000;

/** Where the service listens and how it is. Nothing tells when it changes, so it is asked now and then. */
export const status = createResource<ServiceStatus, 'service'>({
  read: () => ask('status.get', {}),
  changes(_service, changed) {
    const timer = setInterval(changed, STATUS_REFRESH_MS);
    return () => clearInterval(timer);
  },
});

const keyListeners = new Set<() => void>();

/** The API keys of the account. No event speaks of them: whoever changes one calls `apiKeysChanged`. */
export const apiKeys = createResource<readonly ApiKey[], 'all'>({
  read: () => ask('keys.list', {}),
  changes(_all, changed) {
    keyListeners.add(changed);
    return () => void keyListeners.delete(changed);
  },
});

export function apiKeysChanged(): void {
  for (const changed of keyListeners) changed();
}
