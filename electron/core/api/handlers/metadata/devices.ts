import { forbidden, notFound } from '../../../base/errors.ts';
import { createDeviceToken, hashSecret } from '../../../vault/secrets.ts';
import { mayTouch } from '../../authorize.ts';
import type { HandlersOf } from '../../context.ts';
import { bySeen, findDevices, withLastSeen } from '../../devices/find-devices.ts';
import { makeDevices } from '../../devices/make-devices.ts';
import { moveDevice } from '../../devices/move-device.ts';
import { impactOfDevice } from '../../removal/impact.ts';
import { preferencesOf } from '../../preferences.ts';
import { deleteDevice } from '../../removal/delete-device.ts';
import { keepDevice } from '../../removal/keeping.ts';
import {
  createdView,
  deviceItemView,
  deviceView,
  instantText,
  lastSeenText,
  localDeviceView,
} from '../../resources.ts';
import { viewed } from '../../corrections/viewed.ts';

export const deviceHandlers: HandlersOf<'devices'> = {
  async 'devices.list'({ project }, context) {
    const { metadata } = context;
    const devices = await metadata.read((tables) => tables.list('devices', { project_id: project.id }));
    const sorted = (await withLastSeen(devices, context)).toSorted(bySeen);
    const urls = context.urls();
    return { data: sorted.map(({ device, seen }) => deviceItemView(device, seen, urls)) };
  },

  'devices.find': ({ input }, context) => findDevices(input, context),

  async 'devices.get'({ device }, context) {
    return { data: await deviceView(device, context) };
  },

  async 'devices.create'({ input, project }, context) {
    const { name, description, source, tags, brand, model } = input;
    const fields = { name, description, source, tags, brand, model, interval_s: null };
    const [made] = await makeDevices(project, [fields], context);
    if (!made) throw new TypeError('no device was made');
    return { data: createdView(made, context) };
  },

  async 'devices.create-many'({ input, project }, context) {
    const made = await makeDevices(project, input.devices, context);
    return { data: made.map((each) => createdView(each, context)) };
  },

  async 'devices.update'({ input, project, device }, context) {
    const { name, description, brand, model, tags, metadata, interval_s } = input;
    const fields = { name, description, brand, model, tags, metadata, interval_s };
    const updated = await context.metadata.change((tables) => tables.patch('devices', device.id, fields));
    if (!updated) throw notFound('Device');
    const { account_id } = project;
    context.events.publish('devices.changed', { account_id, project_id: project.id, device_id: device.id });
    return { data: await localDeviceView(updated, context) };
  },

  async 'devices.move'({ input, project, device, principal }, context) {
    const to = await context.metadata.read((tables) => tables.get('projects', input.to));
    if (!to) throw notFound('Project');
    if (!mayTouch(principal, to)) throw forbidden('This API key has no access to this project.');
    const moved = await moveDevice(project, device, { to: to.id, regain: input.widgets }, context);
    const widgets = moved.widgets.map(({ id, sources }) => ({ id, sources: [...sources] }));
    return { data: { ...(await localDeviceView(moved.device, context)), widgets } };
  },

  async 'devices.renew-token'({ project, device }, { metadata, vault, chance, events }) {
    const token = createDeviceToken(chance.of(project.account_id));
    // The hash first: once it is on disk the old token stores nothing more, whatever happens to the vault.
    const token_hash = hashSecret(token);
    const renewed = await metadata.change((tables) => tables.patch('devices', device.id, { token_hash }));
    if (!renewed) throw notFound('Device');
    // It may have moved meanwhile.
    const of = { project_id: renewed.project_id, device_id: device.id };
    const { account_id } = project;
    // Clients that are connected with the old token are sent away.
    events.publish('devices.changed', { account_id, ...of });
    await vault.set({ kind: 'device-token', ...of }, token);
    // A window that read the device in between found no token of it.
    events.publish('devices.changed', { account_id, ...of });
    return { data: { device_id: device.id, device_token: token } };
  },

  async 'devices.delete'({ project, device, principal }, context) {
    const { keep_v2_deletes } = await context.metadata.read(preferencesOf);
    const { deleted } = keep_v2_deletes
      ? await keepDevice(project, device, principal, context)
      : { deleted: await deleteDevice(project, device, context) };
    return { data: { deleted } };
  },

  async 'devices.remove'({ project, device, principal }, context) {
    return { data: await keepDevice(project, device, principal, context) };
  },

  async 'devices.summary'({ input, device, signal }, { records, metadata }) {
    const of = await viewed(device.id, input.view, { metadata });
    const summary = await records.summary(of, signal);
    return {
      data: {
        records: summary.records,
        first: instantText(summary.first),
        last: instantText(summary.last),
        last_seen: lastSeenText(summary.lastSeen),
        purged_at: instantText(summary.purgedAt),
        source: device.source,
        interval_s: device.interval_s,
        bytes: summary.bytes,
        keys: summary.keys.map(({ key, count, numeric }) => ({ key, count, numeric })),
      },
    };
  },

  async 'devices.impact'({ device }, context) {
    return { data: await impactOfDevice(device, context) };
  },
};
