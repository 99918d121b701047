import type { HttpDoor } from './http-door.ts';
import type { MqttDoor } from './mqtt-door.ts';

/** The reading that every snippet stores. */
export const READING = '{"temperature": 21.5}';

export interface DeviceLogin {
  readonly device_id: string;
  readonly device_token: string;
}

/** Text that stores `READING` through a door when it is run as it is. */
export type MqttSnippet = (door: MqttDoor, login: DeviceLogin) => string;
export type HttpSnippet = (door: HttpDoor, login: DeviceLogin) => string;
