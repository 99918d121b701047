import { useMemo } from 'react';
import { deviceDetail, deviceKey } from '../../../../stores/devices.ts';

/** The keys of a device, those with numbers first; none until they are known. */
export function useDeviceKeys(project_id: string, device_id: string): readonly string[] {
  const of = deviceKey(project_id, device_id);
  deviceDetail.useWatch(of);
  const { value } = deviceDetail.useValue(of);
  return useMemo(
    () => (value?.summary.keys ?? []).toSorted((a, b) => b.numeric - a.numeric).map(({ key }) => key),
    [value],
  );
}
