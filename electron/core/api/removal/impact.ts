import type { Impact } from '#shared/schema/schemas.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { RecordStore } from '../../store/store.ts';
import type { Context } from '../context.ts';
import { dependantsOf } from './dependants.ts';

/** Resolves with the impact of deleting a device; a purge would remove its records alone. */
export async function impactOfDevice(
  device: StoredDevice,
  { metadata, records }: Pick<Context, 'metadata' | 'records'>,
): Promise<Impact> {
  const { functions, widgets, trimmed } = await metadata.read((tables) => dependantsOf(tables, device.id));
  const { count, ...extent } = await extentOf(records, [device.id]);
  return {
    name: device.name,
    deleted: { devices: 1, records: count, functions: functions.length, widgets: widgets.length },
    widgets_trimmed: trimmed.length,
    ...extent,
  };
}

export async function impactOfProject(
  project: StoredProject,
  { metadata, records }: Pick<Context, 'metadata' | 'records'>,
): Promise<Impact> {
  const of = { project_id: project.id };
  const { devices, functions, widgets } = await metadata.read(async (tables) => ({
    devices: await tables.list('devices', of),
    functions: await tables.count('functions', of),
    widgets: await tables.count('widgets', of),
  }));
  const { count, ...extent } = await extentOf(
    records,
    devices.map(({ id }) => id),
  );
  return {
    name: project.name,
    deleted: { devices: devices.length, records: count, functions, widgets },
    widgets_trimmed: 0,
    ...extent,
  };
}

async function extentOf(records: RecordStore, devices: readonly string[]) {
  let count = 0;
  let bytes = 0;
  let first = Infinity;
  let last = -Infinity;
  for (const extent of await records.extents(devices)) {
    count += extent.records;
    bytes += extent.bytes;
    first = Math.min(first, extent.first ?? Infinity);
    last = Math.max(last, extent.last ?? -Infinity);
  }
  return {
    count,
    bytes,
    first: count > 0 ? formatMicros(first) : null,
    last: count > 0 ? formatMicros(last) : null,
  };
}
