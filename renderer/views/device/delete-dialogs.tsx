import { useCallback } from 'react';
import type { Device } from '#shared/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { ConfirmDelete } from '../../components/dialog/confirm-delete.tsx';
import { goTo } from '../../router.ts';

interface OfDevice {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
}

function useImpact(project_id: string, device_id: string) {
  return useCallback(() => ask('devices.impact', { project_id, device_id }), [project_id, device_id]);
}

export function PurgeDataDialog({ project_id, device }: OfDevice) {
  return (
    <ConfirmDelete
      title={`Purge the data of “${device.name}”`}
      action="Purge data"
      warning="Every record of the device is deleted. The device itself stays."
      name={device.name}
      recordsOnly
      done={(what) => `${what} of “${device.name}” deleted`}
      work={{ kind: 'purge', project_id, device_id: device.id }}
      readImpact={useImpact(project_id, device.id)}
      act={() => ask('records.delete', { project_id, device_id: device.id })}
    />
  );
}

export function DeleteDeviceDialog({ project_id, device }: OfDevice) {
  return (
    <ConfirmDelete
      title={`Delete device “${device.name}”`}
      action="Delete device"
      warning="Its data, functions and the widgets that show only this device are deleted with it."
      name={device.name}
      done={() => `Device “${device.name}” deleted`}
      work={{ kind: 'delete', project_id, device_id: device.id }}
      readImpact={useImpact(project_id, device.id)}
      act={() => ask('devices.remove', { project_id, device_id: device.id })}
      onDone={() => goTo({ screen: 'devices', project_id })}
    />
  );
}
