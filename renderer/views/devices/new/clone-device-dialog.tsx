import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { NewDeviceDialog } from './new-device-dialog.tsx';

interface CloneDeviceProps {
  readonly project_id: string;
  readonly device: FoundDevice;
}

/** A new device with another's fields and key settings; its data, token and notes stay its own. */
export function CloneDeviceDialog({ project_id, device }: CloneDeviceProps) {
  return <NewDeviceDialog project_id={project_id} like={device} />;
}
