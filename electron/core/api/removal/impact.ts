import type { Impact } from '#shared/schemas.ts';
import { formatMicros } from '#shared/time.ts';
import { indexOf } from '../../store/metadata/metadata-index.ts';
import type { Metadata, StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { RecordStore } from '../../store/store.ts';
import type { Context } from '../context.ts';

/** What goes with a device besides its log (docs/api.md, "Deleting"). */
export interface DeviceDependants {
  readonly functions: readonly string[];
  /** Widgets whose only sources are this device: they go with it. */
  readonly widgets: readonly string[];
  /** Widgets with other sources too: they stay and lose this one. */
  readonly trimmed: readonly string[];
}

export function dependantsOf(
  state: Pick<Metadata, 'functions' | 'widgets'>,
  device_id: string,
): DeviceDependants {
  const ofDevice = (row: { readonly device_id: string }) => row.device_id === device_id;
  const shown = Object.values(state.widgets).filter((widget) => widget.sources.some(ofDevice));
  const widgets = shown.filter((widget) => widget.sources.every(ofDevice));
  const trimmed = shown.filter((widget) => !widgets.includes(widget));
  const functions = Object.values(state.functions).filter(ofDevice);
  return { functions: idsOf(functions), widgets: idsOf(widgets), trimmed: idsOf(trimmed) };
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** What deleting the device would remove; a purge would remove its records alone. */
export async function impactOfDevice(
  device: StoredDevice,
  { metadata, records }: Pick<Context, 'metadata' | 'records'>,
): Promise<Impact> {
  const { functions, widgets, trimmed } = dependantsOf(metadata.state, device.id);
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
  const index = indexOf(metadata.state);
  const devices = index.devicesOf(project.id).map(({ id }) => id);
  const { count, ...extent } = await extentOf(records, devices);
  return {
    name: project.name,
    deleted: {
      devices: devices.length,
      records: count,
      functions: index.functionsOf(project.id).length,
      widgets: index.widgetsOf(project.id).length,
    },
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
