import type { DoorsNow } from '#shared/operations/service/doors.ts';
import type { ShownSigningKey } from '#shared/operations/service/handover.ts';
import type { SecretsNow } from '#shared/operations/service/secrets.ts';
import type { ServiceStatus } from '#shared/operations/service/service.ts';
import type { ApiKey } from '#shared/schema/schemas.ts';
import { ask } from '../bridge/ask.ts';
import { createResource } from './resource.ts';

const STATUS_REFRESH_MS = 10_000;

/** Status of the service and its listeners. It has no event, so it is read now and then. */
export const status = createResource<ServiceStatus, 'service'>({
  read: () => ask('status.get', {}),
  changes(_service, changed) {
    const timer = setInterval(changed, STATUS_REFRESH_MS);
    return () => clearInterval(timer);
  },
});

/** Vault of keys and tokens; another window may move them. */
export const secrets = createResource<SecretsNow, 'all'>({
  read: () => ask('secrets.get', {}),
  changes(_all, changed) {
    const timer = setInterval(changed, STATUS_REFRESH_MS);
    return () => clearInterval(timer);
  },
});

/** The public half of the key that signs what is handed over: it stays what it is. */
export const signingKey = createResource<ShownSigningKey, 'own'>({
  read: () => ask('handover.key', {}),
  changes: () => () => {},
});

/** The doors, which the app can change; another window may, too. */
export const doors = createResource<DoorsNow, 'all'>({
  read: () => ask('doors.get', {}),
  changes(_all, changed) {
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
