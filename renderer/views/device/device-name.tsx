import type { PropsWithChildren } from 'react';
import { shownName } from '../../components/facts/shown-name.ts';
import { deviceDetail, deviceKey } from '../../stores/devices.ts';

interface Place {
  readonly project_id: string;
  readonly device_id: string;
}

/** Name of the present device; its children while that is not known. */
export function DeviceName({ project_id, device_id, children }: PropsWithChildren<Place>) {
  const { value } = deviceDetail.useValue(deviceKey(project_id, device_id));
  const { value: raw } = deviceDetail.useValue(deviceKey(project_id, device_id, 'raw'));
  const name = (value ?? raw)?.device.name;
  return name === undefined ? children : shownName(name);
}
