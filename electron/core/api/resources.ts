import type { LocalDevice } from '#shared/operations/metadata/devices.ts';
import type { SettingsOfKey } from '#shared/operations/metadata/key-settings.ts';
import type { LocalProject } from '#shared/operations/metadata/projects.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { KeptDelete } from '#shared/operations/metadata/undo.ts';
import type { View } from '#shared/operations/metadata/views.ts';
import type {
  ApiKey,
  CreatedDevice,
  Device,
  DeviceFunction,
  DeviceItem,
  Project,
  Widget,
} from '#shared/schema/schemas.ts';
import { formatMicros, formatSeconds, NEVER_SEEN, type Micros } from '#shared/values/time.ts';
import type {
  KeptDelete as StoredDelete,
  StoredDevice,
  StoredFunction,
  StoredKey,
  StoredKeySettings,
  StoredNote,
  StoredProject,
  StoredView,
  StoredWidget,
} from '../store/metadata/metadata-schema.ts';
import { hashSecret } from '../vault/secrets.ts';
import type { Context, Urls } from './context.ts';
import { silencedUntil } from './alarms/rule-rows.ts';
import { deletedBy } from './removal/keeping.ts';
import { asksForReason } from './trail/require-reason.ts';

/* Rows of metadata.json as the service shows them (docs/api.md, "Fields"). */

export function projectView({ id, name, description, created }: StoredProject): Project {
  return { id, name, description, created_at: formatSeconds(created) };
}

/** A project with what /v2 does not name. */
export const localProjectView = (project: StoredProject): LocalProject => ({
  ...projectView(project),
  reason_required: asksForReason(project),
});

/** `{static_url}/devices/default.svg`: served by the service itself, so that it works offline. */
function avatarOf(device: StoredDevice, { base_url }: Pick<Urls, 'base_url'>): string {
  return device.avatar ?? `${base_url}/static/devices/default.svg`;
}

export const lastSeenText = (lastSeen: Micros | null) =>
  lastSeen === null ? NEVER_SEEN : formatMicros(lastSeen);

export const instantText = (instant: Micros | null) => (instant === null ? null : formatMicros(instant));

export function deviceItemView(
  device: StoredDevice,
  lastSeen: Micros | null,
  urls: Pick<Urls, 'base_url'>,
): DeviceItem {
  const { id, name, description, brand, model } = device;
  return {
    id,
    name,
    description,
    brand,
    model,
    avatar: avatarOf(device, urls),
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
    ...deviceItemView(device, lastSeen, context.urls()),
    tags: [...device.tags],
    device_credentials: { device_id: device.id, device_token: token },
    metadata: { ...device.metadata },
  };
}

/** Returns the fuller view of a device for local operations. */
export async function localDeviceView(
  device: StoredDevice,
  context: Pick<Context, 'urls' | 'vault' | 'records'>,
): Promise<LocalDevice> {
  return { ...(await deviceView(device, context)), interval_s: device.interval_s };
}

/** A device that was just made. */
export function createdView(
  { device, token }: { readonly device: StoredDevice; readonly token: string },
  context: Pick<Context, 'urls'>,
): CreatedDevice {
  return {
    ...deviceItemView(device, null, context.urls()),
    tags: [...device.tags],
    metadata: { device_id: device.id, device_token: token },
  };
}

/** When a key expires; null for never. */
export const expiryText = ({ expires, expires_at }: Pick<StoredKey, 'expires' | 'expires_at'>) =>
  expires_at ?? instantText(expires);

export function keyView(key: StoredKey, lastUsed: Micros | null): ApiKey {
  return {
    id: key.id,
    name: key.name,
    account_id: key.account_id,
    permissions: [...key.permissions],
    project_ids: key.project_ids ? [...key.project_ids] : null,
    expires_at: expiryText(key),
    created_at: formatSeconds(key.created),
    role: key.role,
    last_used: instantText(lastUsed),
  };
}

export function functionView(row: StoredFunction, problem: string | null, now: Micros): DeviceFunction {
  const { created: _created, sequence: _sequence, ...rest } = row;
  const { since = null, silenced: _silenced, forgotten: _forgotten, ...shown } = rest;
  return { ...shown, since: instantText(since), silenced_until: silencedUntil(row, now), problem };
}

export function widgetView({ created: _created, sequence: _sequence, ...shown }: StoredWidget): Widget {
  return { ...shown, sources: [...shown.sources] };
}

export function keySettingsView({
  id: _id,
  project_id: _project,
  created: _created,
  sequence: _sequence,
  ...shown
}: StoredKeySettings): SettingsOfKey {
  return shown;
}

export function noteView({ id, device_id, start, end, text, author, created }: StoredNote): Note {
  return {
    id,
    device_id,
    start: formatMicros(start),
    end: instantText(end),
    text,
    author,
    created_at: formatSeconds(created),
  };
}

export function viewView({ id, name, address, created }: StoredView): View {
  return { id, name, address, created_at: formatSeconds(created) };
}

/** `name` and `project_name` where they are others by now. */
export function keptDeleteView(
  row: StoredDelete,
  {
    name = row.name,
    project_name = row.project_name,
    waits_for,
  }: Pick<KeptDelete, 'waits_for'> & {
    readonly name?: string | undefined;
    readonly project_name?: string | undefined;
  },
): KeptDelete {
  return {
    id: row.id,
    kind: row.kind,
    project_id: row.project_id,
    project_name,
    device_id: row.device_id ?? null,
    name,
    deleted_at: formatMicros(row.created),
    author: row.author,
    until: formatSeconds(row.until),
    start: instantText(row.start),
    end: instantText(row.end),
    deleted: deletedBy(row),
    bytes: row.bytes ?? 0,
    waits_for,
  };
}
