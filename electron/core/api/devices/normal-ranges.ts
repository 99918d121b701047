import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { andThen, type Awaitable } from '../../base/awaitable.ts';
import type { Tables } from '../../store/metadata/metadata.ts';

/** A normal range, and how values of its key are written. */
export type NormalRange = Pick<KeySettings, 'low' | 'high' | 'unit' | 'shown_as' | 'decimals'>;
/** Normal ranges of a device, by key. */
export type NormalRanges = ReadonlyMap<string, NormalRange>;

/** All devices of a project, or one. */
export type OfDevices = { readonly project_id: string } | { readonly device_id: string };

/** Resolves with the normal ranges of devices, by id. */
export function normalRangesOf(tables: Tables, of: OfDevices): Awaitable<ReadonlyMap<string, NormalRanges>> {
  return andThen(tables.list('key_settings', of), (settings) => {
    const ofDevices = new Map<string, Map<string, NormalRange>>();
    for (const setting of settings) {
      if (setting.low === null && setting.high === null) continue;
      const ranges = ofDevices.get(setting.device_id) ?? new Map<string, NormalRange>();
      ofDevices.set(setting.device_id, ranges.set(setting.key, setting));
    }
    return ofDevices;
  });
}
