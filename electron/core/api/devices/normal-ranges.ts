import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { andThen, type Awaitable } from '../../base/awaitable.ts';
import type { Tables } from '../../store/metadata/metadata.ts';

/** Normal ranges of a device, by key. */
export type NormalRanges = ReadonlyMap<string, Pick<KeySettings, 'low' | 'high'>>;

/** Resolves with the normal ranges of a project's devices, by id. */
export function normalRangesOf(
  tables: Tables,
  project_id: string,
): Awaitable<ReadonlyMap<string, NormalRanges>> {
  return andThen(tables.list('key_settings', { project_id }), (settings) => {
    const ofDevices = new Map<string, Map<string, Pick<KeySettings, 'low' | 'high'>>>();
    for (const { device_id, key, low, high } of settings) {
      if (low === null && high === null) continue;
      const ranges = ofDevices.get(device_id) ?? new Map<string, Pick<KeySettings, 'low' | 'high'>>();
      ofDevices.set(device_id, ranges.set(key, { low, high }));
    }
    return ofDevices;
  });
}
