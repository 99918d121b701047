import type { MqttAddresses } from '../../../renderer/components/facts/snippets/mqtt-door.ts';
import type { DeviceLogin } from '../../../renderer/components/facts/snippets/reading.ts';

/** Something that takes what an MQTT device publishes: both of its doors are open. */
export interface MqttPlace {
  readonly addresses: MqttAddresses;
  /** Of the one device that it knows. */
  readonly login: DeviceLogin;
  /** Resolves with the next record that came from the device, once; rejects where none comes. */
  arrived(): Promise<unknown>;
  stop(): Promise<void>;
}
