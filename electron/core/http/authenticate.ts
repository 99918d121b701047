import type { Micros } from '#shared/values/time.ts';
import type { Principal } from '../api/call.ts';
import { andThen, type Awaitable } from '../base/awaitable.ts';
import type { Clock } from '../base/clock.ts';
import { unauthorized } from '../base/errors.ts';
import { perObject } from '../store/metadata/per-object.ts';
import type { StoredKey } from '../store/metadata/metadata-schema.ts';
import type { Metadata, Tables } from '../store/metadata/metadata.ts';
import { hashSecret } from '../vault/secrets.ts';

/** The secret of an Authorization header of this scheme (RFC 9110, 11.4: the scheme's case does not matter), or null. */
export function secretOf(authorization: string | undefined, scheme: 'Bearer' | 'Basic'): string | null {
  const match = /^([A-Za-z]+) +(\S+) *$/.exec(authorization ?? '');
  return match?.[1]?.toLowerCase() === scheme.toLowerCase() ? (match[2] ?? null) : null;
}

/** The principal of a header's API key; throws, or rejects with, a 401 Refusal. */
export type Authenticate = (authorization: string | undefined) => Awaitable<Principal>;

/** Returns the check that runs first. `used` is called with each valid key. */
export function createAuthenticate(
  metadata: Metadata,
  clock: Clock,
  used: (key_id: string, now: Micros) => Awaitable<void>,
): Authenticate {
  return (authorization) =>
    andThen(
      metadata.read((tables) => keyOf(authorization, tables)),
      (key) => {
        const now = clock.now();
        if (key.expires !== null && key.expires <= now) throw unauthorized('The API key has expired.');
        return andThen(used(key.id, now), () => principalOf(key));
      },
    );
}

/** Accepted headers that are remembered at most: one for each program that asks, not for each way to write it. */
const MOST_ACCEPTED = 256;

/** Headers whose key was found, as long as the keys are the same: a hash a request would cost more than its checks. */
const acceptedOf = perObject((_keys: object) => new Map<string, StoredKey>());

/** The key that a header names, or a 401 Refusal. */
function keyOf(authorization: string | undefined, tables: Tables): Awaitable<StoredKey> {
  const version = tables.versionOf('api_keys');
  const accepted = version && acceptedOf(version);
  return accepted?.get(authorization ?? '') ?? findKey(authorization, tables, accepted);
}

async function findKey(
  authorization: string | undefined,
  tables: Tables,
  accepted: Map<string, StoredKey> | null,
): Promise<StoredKey> {
  if (!authorization) throw unauthorized('The Authorization header is missing: send "Bearer <API_KEY>".');
  const secret = secretOf(authorization, 'Bearer');
  if (secret === null) throw unauthorized('The Authorization header must be "Bearer <API_KEY>".');
  const key = await tables.keyByHash(hashSecret(secret));
  if (!key) throw unauthorized('The API key is unknown or was revoked.');
  if (accepted && accepted.size >= MOST_ACCEPTED) accepted.clear();
  accepted?.set(authorization, key);
  return key;
}

/** Of each key as it is stored: a change of it makes another object. */
const principalOf = perObject((key: StoredKey): Principal => ({
  account_id: key.account_id,
  permissions: new Set(key.permissions),
  project_ids: key.project_ids ? new Set(key.project_ids) : null,
  key_id: key.id,
  by: { kind: 'key', id: key.id, name: key.name },
}));
