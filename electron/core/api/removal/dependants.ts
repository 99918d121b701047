import type { StoredFunction, StoredWidget } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';

/** What goes with a device besides its log (docs/api.md, "Deleting"). */
export interface DeviceDependants {
  readonly functions: readonly StoredFunction[];
  /** Widgets whose only sources are this device: they go with it. */
  readonly widgets: readonly StoredWidget[];
  /** Widgets with other sources too: they stay and lose this one. */
  readonly trimmed: readonly StoredWidget[];
}

export async function dependantsOf(tables: Tables, device_id: string): Promise<DeviceDependants> {
  const functions = await tables.list('functions', { device_id });
  const shown = await tables.list('widgets', { device_id });
  const widgets = shown.filter((widget) => widget.sources.every((source) => source.device_id === device_id));
  const trimmed = shown.filter((widget) => !widgets.includes(widget));
  return { functions, widgets, trimmed };
}
