import { useMemo } from 'react';
import { devices } from '../../stores/devices.ts';
import type { SettingsOf } from '../../stores/key-settings.ts';
import type { Zone } from '../../time.ts';
import { nameOfKey } from '../facts/key-words.ts';
import type { Called } from './correction-words.ts';

/** How the keys of a device, and the devices of its project, are called where its corrections are told. */
export function useCalled(
  { project_id, device_id }: { readonly project_id: string; readonly device_id: string },
  settingsOf: SettingsOf,
  zone: Zone,
): Called {
  const { value } = devices.useValue(project_id);
  return useMemo(
    () => ({
      nameOf: (key) => nameOfKey(key, settingsOf(device_id, key)),
      unitOf: (key) => settingsOf(device_id, key).unit,
      deviceOf: (id) => value?.find((device) => device.id === id)?.name ?? null,
      zone,
    }),
    [device_id, settingsOf, value, zone],
  );
}
