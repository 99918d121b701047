import type {
  FormerVersion,
  StoredAlarm,
  StoredCorrection,
  StoredFunction,
  StoredKeySettings,
  StoredNote,
  StoredWidget,
} from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';

/** Rows that are deleted with a device, besides its log (docs/api.md, "Deleting"). */
export interface DeviceDependants {
  readonly functions: readonly StoredFunction[];
  /** Widgets whose only sources are this device: they go with it. */
  readonly widgets: readonly StoredWidget[];
  /** Widgets with other sources too: they stay and lose this one. */
  readonly trimmed: readonly StoredWidget[];
  readonly key_settings: readonly StoredKeySettings[];
  readonly notes: readonly StoredNote[];
  /** Of its own rules and of those by tag. */
  readonly alarms: readonly StoredAlarm[];
  readonly corrections: readonly StoredCorrection[];
  readonly correction_history: readonly FormerVersion[];
}

export async function dependantsOf(tables: Tables, device_id: string): Promise<DeviceDependants> {
  const functions = await tables.list('functions', { device_id });
  const shown = await tables.list('widgets', { device_id });
  const widgets = shown.filter((widget) => widget.sources.every((source) => source.device_id === device_id));
  const trimmed = shown.filter((widget) => !widgets.includes(widget));
  const key_settings = await tables.list('key_settings', { device_id });
  const notes = await tables.list('notes', { device_id });
  const alarms = await tables.list('alarms', { device_id });
  const corrections = await tables.list('corrections', { device_id });
  const correction_history = await tables.list('correction_history', { device_id });
  return { functions, widgets, trimmed, key_settings, notes, alarms, corrections, correction_history };
}
