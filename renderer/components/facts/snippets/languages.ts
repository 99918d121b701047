import type { ServiceStatus } from '#shared/operations/service/service.ts';
import type { Source } from '#shared/domain/sources.ts';
import { arduinoHttpSnippet } from './arduino-http-snippet.ts';
import { arduinoMqttSnippet } from './arduino-mqtt-snippet.ts';
import { curlSnippet } from './curl-snippet.ts';
import { httpForDevices, httpForPrograms, type HttpAddresses, type HttpDoor } from './http-door.ts';
import { mosquittoSnippet } from './mosquitto-snippet.ts';
import {
  doorForDevices,
  doorForPrograms,
  isOfThisMachine,
  type MqttAddresses,
  type MqttDoor,
} from './mqtt-door.ts';
import { nodeHttpSnippet } from './node-http-snippet.ts';
import { nodeMqttSnippet } from './node-mqtt-snippet.ts';
import { pythonHttpSnippet } from './python-http-snippet.ts';
import { pythonMqttSnippet } from './python-mqtt-snippet.ts';
import type { DeviceLogin, HttpSnippet, MqttSnippet } from './reading.ts';

/** A language or program that stores a reading. */
export interface Language {
  readonly name: string;
  /** The text, and whether it is for a machine of its own which cannot reach the door; null where no door is open to it. */
  readonly write: (
    addresses: ServiceStatus,
    login: DeviceLogin,
  ) => { readonly text: string; readonly isOutOfReach: boolean } | null;
}

const overHttp = (
  name: string,
  snippet: HttpSnippet,
  doorOf: (of: HttpAddresses) => HttpDoor | null,
): Language => ({
  name,
  write(addresses, login) {
    const door = doorOf(addresses);
    const isOutOfReach = doorOf === httpForDevices && door?.isOnNetwork === false;
    return door && { text: snippet(door, login), isOutOfReach };
  },
});

const overMqtt = (
  name: string,
  snippet: MqttSnippet,
  doorOf: (of: MqttAddresses) => MqttDoor | null,
): Language => ({
  name,
  write(addresses, login) {
    const door = doorOf(addresses);
    return (
      door && {
        text: snippet(door, login),
        isOutOfReach: doorOf === doorForDevices && isOfThisMachine(door),
      }
    );
  },
});

/** Languages by source of the device; the first is shown first. */
export const LANGUAGES: Readonly<Record<Source, readonly Language[]>> = {
  http: [
    overHttp('curl', curlSnippet, httpForPrograms),
    overHttp('Python', pythonHttpSnippet, httpForPrograms),
    overHttp('Node', nodeHttpSnippet, httpForPrograms),
    overHttp('Arduino', arduinoHttpSnippet, httpForDevices),
  ],
  mqtt: [
    overMqtt('mosquitto_pub', mosquittoSnippet, doorForPrograms),
    overMqtt('Python', pythonMqttSnippet, doorForPrograms),
    overMqtt('Node', nodeMqttSnippet, doorForPrograms),
    overMqtt('Arduino', arduinoMqttSnippet, doorForDevices),
  ],
};
