import { useState } from 'react';
import { viewOf, type ShownView } from '../../chart/view.ts';
import { useCorrections } from '../../stores/corrections.ts';
import { deviceDetail, deviceKey, type DeviceDetail } from '../../stores/devices.ts';
import type { DeviceTab } from './device-address.ts';

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  readonly tab: DeviceTab;
  /** As the address says. */
  readonly wanted: ShownView;
}

interface Viewed {
  readonly value: DeviceDetail | null;
  readonly error: string | null;
  /** The view that the value is of. */
  readonly shown: ShownView;
}

/** A device as a view shows it, kept fresh; until another view is there, the one before. */
export function useViewed({ project_id, device_id, tab, wanted }: Asked): Viewed {
  const { list } = useCorrections(project_id, device_id);
  // What is listed record by record is what was stored.
  const shown = tab === 'table' && list.length > 0 ? 'raw' : wanted;
  const of = deviceKey(project_id, device_id, viewOf(shown));
  deviceDetail.useWatch(of);
  const { value, error } = deviceDetail.useValue(of);
  const [last, setLast] = useState<Viewed | null>(null);
  if (value !== null && (last?.value !== value || last.shown !== shown))
    setLast({ value, error: null, shown });
  const isOnItsWay = value === null && error === null && last?.value?.device.id === device_id;
  return isOnItsWay ? last : { value, error, shown };
}
