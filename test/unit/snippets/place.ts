import type { HttpAddresses } from '../../../renderer/components/facts/snippets/http-door.ts';
import type { MqttAddresses } from '../../../renderer/components/facts/snippets/mqtt-door.ts';
import type { DeviceLogin } from '../../../renderer/components/facts/snippets/reading.ts';

/** Something that takes what a device sends: both doors of its source are open. */
export interface Place {
  readonly addresses: MqttAddresses & HttpAddresses;
  /** Of the one device that it knows. */
  readonly login: DeviceLogin;
  /** Resolves with the next record that came from the device, once; rejects where none comes. */
  arrived(): Promise<unknown>;
  stop(): Promise<void>;
}
