import type { EventBus } from '../base/event-bus.ts';
import type { Metadata } from '../store/metadata/metadata.ts';
import type { RequestsSeen } from './requests-seen.ts';

/** Keeps what is seen from outliving what it is of: a device that was deleted or moved, and records that were deleted. */
export function followDevices(
  requests: RequestsSeen,
  {
    events,
    metadata,
    failed,
  }: {
    readonly events: EventBus;
    readonly metadata: Metadata;
    readonly failed: (error: unknown) => void;
  },
): void {
  const check = async (devices: readonly string[]) => {
    for (const device_id of devices) {
      const row = await metadata.read((tables) => tables.get('devices', device_id));
      if (row === null) requests.forget(device_id);
      else requests.moved(device_id, row.project_id);
    }
  };
  const heard = events.subscriber(({ topic, payload }) => {
    if (topic === 'records.removed' && payload.restored !== true) requests.forgetBodies(payload.device_id);
    if (topic === 'devices.changed') check([payload.device_id]).catch(failed);
    if (topic === 'projects.changed') {
      const known = requests.devices().filter(({ project_id }) => project_id === payload.project_id);
      check(known.map(({ device_id }) => device_id ?? '')).catch(failed);
    }
  }, missed);
  function missed(): void {
    const devices = requests.devices().flatMap(({ device_id }) => device_id ?? []);
    requests.forgetAllBodies();
    check(devices).catch(failed);
  }
  for (const topic of ['records.removed', 'devices.changed', 'projects.changed'] as const)
    heard.subscribe(topic);
}
