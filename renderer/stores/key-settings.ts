import { useMemo } from 'react';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import type { KeySettings, SettingsOfKey } from '#shared/operations/metadata/key-settings.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { createResource, type Resource } from './resource.ts';

/** Settings by device, then by key. */
type Settings = ReadonlyMap<string, ReadonlyMap<string, SettingsOfKey>>;

/** Settings of the keys of a project's devices, by the project's id. */
export const keySettings = createResource<Settings, string>({
  async read(project_id) {
    const settings = new Map<string, Map<string, SettingsOfKey>>();
    for (const one of await ask('key-settings.list', { project_id })) {
      const ofDevice = settings.get(one.device_id) ?? new Map<string, SettingsOfKey>();
      settings.set(one.device_id, ofDevice.set(one.key, one));
    }
    return settings;
  },
  changes: (project_id, changed) => bridge.subscribe('devices.changed', changed, { project_id }),
  restMs: 250,
});

/** Returns the settings of a device's key; NO_SETTINGS where none are set, or known yet. */
export type SettingsOf = (device_id: string, key: string) => KeySettings;

/** Settings of the keys of a project's devices, kept fresh: another function after each change. */
export function useKeySettings(project_id: string): SettingsOf {
  keySettings.useWatch(project_id);
  const { value } = keySettings.useValue(project_id);
  return useMemo(() => lookUp([{ value, error: null }]), [value]);
}

/** Settings of a key as those of its devices are that have a title or a unit for it; made once a change. */
export function useUsualSettings(project_id: string): (key: string) => KeySettings {
  const { value } = keySettings.useValue(project_id);
  return useMemo(() => {
    const usual = new Map<string, KeySettings>();
    for (const ofDevice of value?.values() ?? [])
      for (const [key, settings] of ofDevice) {
        const known = usual.get(key);
        if (!known || (known.shown_as === '' && settings.shown_as !== '')) usual.set(key, settings);
      }
    return (key) => usual.get(key) ?? NO_SETTINGS;
  }, [value]);
}

/** Settings of the keys of several projects' devices, kept fresh. */
export function useKeySettingsOfEach(project_ids: readonly string[]): SettingsOf {
  const known = keySettings.useEach(project_ids);
  return useMemo(() => lookUp([...known.values()]), [known]);
}

function lookUp(resources: readonly Resource<Settings>[]): SettingsOf {
  return (device_id, key) => {
    for (const { value } of resources) {
      const found = value?.get(device_id)?.get(key);
      if (found) return found;
    }
    return NO_SETTINGS;
  };
}
