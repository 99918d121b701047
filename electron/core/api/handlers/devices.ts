import { randomUUID } from 'node:crypto';
import { isFound } from '#shared/text.ts';
import type { Micros } from '#shared/time.ts';
import { notFound } from '../../errors.ts';
import { createDeviceToken, hashSecret } from '../../vault/secrets.ts';
import type { StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Context, HandlersOf } from '../context.ts';
import { impactOfDevice } from '../removal/impact.ts';
import { deleteDevice } from '../removal/delete-device.ts';
import { deviceItemView, deviceView, instantText, lastSeenText } from '../resources.ts';

interface Contact {
  readonly device: StoredDevice;
  readonly seen: Micros | null;
}

async function devicesOf(
  { id: project_id }: StoredProject,
  { metadata }: Pick<Context, 'metadata'>,
): Promise<readonly StoredDevice[]> {
  return metadata.read((tables) => tables.list('devices', { project_id }));
}

async function withLastSeen(
  devices: readonly StoredDevice[],
  { records }: Pick<Context, 'records'>,
): Promise<Contact[]> {
  const lastSeen = await records.lastSeen(devices.map((device) => device.id));
  return devices.map((device, i) => ({ device, seen: lastSeen[i] ?? null }));
}

const byCreation = (a: Contact, b: Contact) =>
  b.device.created - a.device.created || b.device.sequence - a.device.sequence;
const { compare: byText } = new Intl.Collator('en', { numeric: true });

const ORDERS = {
  /** Latest seen first, then newest created (docs/api.md, "Fields"). */
  seen: (a: Contact, b: Contact) => (b.seen ?? -Infinity) - (a.seen ?? -Infinity) || byCreation(a, b),
  created: byCreation,
  name: (a: Contact, b: Contact) => byText(a.device.name, b.device.name) || byCreation(a, b),
};

export const deviceHandlers: HandlersOf<'devices'> = {
  async 'devices.list'({ project }, context) {
    const devices = await devicesOf(project, context);
    const sorted = (await withLastSeen(devices, context)).toSorted(ORDERS.seen);
    return { data: sorted.map(({ device, seen }) => deviceItemView(device, seen, context)) };
  },

  async 'devices.find'({ input, project }, context) {
    const { search, source, sort, page, limit } = input;
    const tags = input.tags.split(',').flatMap((tag) => tag.trim() || []);
    const devices = (await devicesOf(project, context)).filter(
      (device) =>
        (source === undefined || device.source === source) &&
        tags.every((tag) => device.tags.includes(tag)) &&
        isFound(search, device),
    );
    const sorted = (await withLastSeen(devices, context)).toSorted(ORDERS[sort]);
    const shown = sorted.slice((page - 1) * limit, page * limit);
    const extents = await context.records.extents(shown.map(({ device }) => device.id));
    return {
      data: shown.map(({ device, seen }, i) => ({
        ...deviceItemView(device, seen, context),
        tags: [...device.tags],
        source: device.source,
        records: extents[i]?.records ?? 0,
        newest: instantText(extents[i]?.last ?? null),
      })),
      page: { page, limit, total: sorted.length },
    };
  },

  async 'devices.get'({ device }, context) {
    return { data: await deviceView(device, context) };
  },

  async 'devices.create'({ input, project }, context) {
    const { metadata, vault, clock, events } = context;
    const token = createDeviceToken();
    const ref = { kind: 'device-token', project_id: project.id, device_id: randomUUID() } as const;
    // The vault first: a device whose token nobody can read would be of no use.
    await vault.set(ref, token);
    const device = await metadata
      .change(async (tables) => {
        if (!(await tables.get('projects', project.id))) throw notFound('Project');
        return tables.insert('devices', {
          id: ref.device_id,
          project_id: project.id,
          name: input.name,
          description: input.description,
          source: input.source,
          tags: [...input.tags],
          brand: input.brand,
          model: input.model,
          avatar: null,
          metadata: {},
          token_hash: hashSecret(token),
          created: clock.now(),
        });
      })
      .catch(async (error: unknown) => {
        await vault.delete(ref);
        throw error;
      });
    const { account_id } = project;
    events.publish('devices.changed', { account_id, project_id: project.id, device_id: device.id });
    return {
      data: {
        ...deviceItemView(device, null, context),
        tags: [...device.tags],
        metadata: { device_id: device.id, device_token: token },
      },
    };
  },

  async 'devices.update'({ input, project, device }, context) {
    const { name, description, brand, model, tags, metadata } = input;
    const updated = await context.metadata.change((tables) =>
      tables.patch('devices', device.id, { name, description, brand, model, tags, metadata }),
    );
    if (!updated) throw notFound('Device');
    const { account_id } = project;
    context.events.publish('devices.changed', { account_id, project_id: project.id, device_id: device.id });
    return { data: await deviceView(updated, context) };
  },

  async 'devices.renew-token'({ project, device }, { metadata, vault, events }) {
    const token = createDeviceToken();
    // The hash first: once it is on disk the old token stores nothing more, whatever happens to the vault.
    const token_hash = hashSecret(token);
    if (!(await metadata.change((tables) => tables.patch('devices', device.id, { token_hash }))))
      throw notFound('Device');
    const { account_id, id: project_id } = project;
    // Whoever is connected with the old one is sent away.
    events.publish('devices.changed', { account_id, project_id, device_id: device.id });
    await vault.set({ kind: 'device-token', project_id: device.project_id, device_id: device.id }, token);
    return { data: { device_id: device.id, device_token: token } };
  },

  async 'devices.delete'({ project, device }, context) {
    return { data: { deleted: await deleteDevice(project, device, context) } };
  },

  async 'devices.summary'({ device, signal }, { records }) {
    const summary = await records.summary(device.id, signal);
    return {
      data: {
        records: summary.records,
        first: instantText(summary.first),
        last: instantText(summary.last),
        last_seen: lastSeenText(summary.lastSeen),
        purged_at: instantText(summary.purgedAt),
        source: device.source,
        bytes: summary.bytes,
        keys: summary.keys.map((key) => ({ ...key })),
      },
    };
  },

  async 'devices.impact'({ device }, context) {
    return { data: await impactOfDevice(device, context) };
  },
};
