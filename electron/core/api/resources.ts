import type { ApiKey, Device, DeviceFunction, DeviceItem, Project, Widget } from '#shared/schemas.ts';
import { formatMicros, formatSeconds, NEVER_SEEN, type Micros } from '#shared/time.ts';
import type {
  StoredDevice,
  StoredFunction,
  StoredKey,
  StoredProject,
  StoredWidget,
} from '../store/metadata/metadata-schema.ts';
import { hashSecret } from '../vault/secrets.ts';
import type { Context } from './context.ts';

/* Rows of metadata.json as the service shows them (docs/api.md, "Fields"). */

export function projectView({ id, name, description, created }: StoredProject): Project {
  return { id, name, description, created_at: formatSeconds(created) };
}

/** `{static_url}/devices/default.svg`: served by the service itself, so that it works offline. */
function avatarOf(device: StoredDevice, { urls }: Pick<Context, 'urls'>): string {
  return device.avatar ?? `${urls().base_url}/static/devices/default.svg`;
}

export const lastSeenText = (lastSeen: Micros | null) =>
  lastSeen === null ? NEVER_SEEN : formatMicros(lastSeen);

export const instantText = (instant: Micros | null) => (instant === null ? null : formatMicros(instant));

export function deviceItemView(
  device: StoredDevice,
  lastSeen: Micros | null,
  context: Pick<Context, 'urls'>,
): DeviceItem {
  const { id, name, description, brand, model } = device;
  return {
    id,
    name,
    description,
    brand,
    model,
    avatar: avatarOf(device, context),
    last_seen: lastSeenText(lastSeen),
  };
}

/** The single device. Where the vault has lost its token, `device_token` is empty (docs/api.md, "Access"). */
export async function deviceView(
  device: StoredDevice,
  context: Pick<Context, 'urls' | 'vault' | 'records'>,
): Promise<Device> {
  const [lastSeen = null] = await context.records.lastSeen([device.id]);
  const kept = await context.vault.get({
    kind: 'device-token',
    project_id: device.project_id,
    device_id: device.id,
  });
  // A vault that was not in use for a while, or that was written before a crash, may hold an earlier token.
  const token = kept !== null && hashSecret(kept) === device.token_hash ? kept : '';
  return {
    ...deviceItemView(device, lastSeen, context),
    tags: [...device.tags],
    device_credentials: { device_id: device.id, device_token: token },
    metadata: { ...device.metadata },
  };
}

/** When a key expires; null for never. */
export const expiryText = ({ expires, expires_at }: Pick<StoredKey, 'expires' | 'expires_at'>) =>
  expires_at ?? instantText(expires);

export function keyView(key: StoredKey): ApiKey {
  return {
    id: key.id,
    name: key.name,
    account_id: key.account_id,
    permissions: [...key.permissions],
    project_ids: key.project_ids ? [...key.project_ids] : null,
    expires_at: expiryText(key),
    created_at: formatSeconds(key.created),
    role: key.role,
  };
}

export function functionView({
  created: _created,
  sequence: _sequence,
  ...shown
}: StoredFunction): DeviceFunction {
  return shown;
}

export function widgetView({ created: _created, sequence: _sequence, ...shown }: StoredWidget): Widget {
  return { ...shown, sources: [...shown.sources] };
}
