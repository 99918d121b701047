import { useCallback } from 'react';
import type { Device } from '#shared/schema/schemas.ts';
import { ConfirmDelete } from '../../components/dialog/confirm-delete.tsx';
import { goTo } from '../../router.ts';
import { deleteDevice, impactOfDevice, isFinalDelete, purge } from '../../stores/undo/deletes.ts';

interface OfDevice {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
}

function useImpact(project_id: string, { id: device_id, name }: OfDevice['device']) {
  return useCallback(() => impactOfDevice({ project_id, device_id }, name), [project_id, device_id, name]);
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
      readImpact={useImpact(project_id, device)}
      project_id={project_id}
      act={(why) => purge({ project_id, device_id: device.id }, why)}
      forGood={isFinalDelete('records.delete')}
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
      readImpact={useImpact(project_id, device)}
      project_id={project_id}
      act={(why) => deleteDevice({ project_id, device_id: device.id }, why)}
      forGood={isFinalDelete('devices.remove')}
      onDone={() => goTo({ screen: 'devices', project_id })}
    />
  );
}
