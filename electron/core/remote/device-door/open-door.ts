import type { Source } from '#shared/domain/sources.ts';
import { noAnswer, type Door, type DoorAnswer, type DoorPlaces, type Login } from './door.ts';
import { openHttpDoor } from './http-door.ts';
import { openMqttDoor } from './mqtt-door.ts';

const OPEN: Readonly<Record<Source, (login: Login, places: () => DoorPlaces) => Door>> = {
  http: openHttpDoor,
  mqtt: openMqttDoor,
};

/** Connects when something is sent. */
export const openDoor = (source: Source, login: Login, places: () => DoorPlaces): Door =>
  OPEN[source](login, places);

/** The places of a service's doors, the plain ones where there are any. `ca`: of its authority, PEM. */
export function doorPlaces(
  { base_url, http_url, mqtt_url, mqtts_url, mqtt_shut }: DoorUrls,
  ca: string | null,
): DoorPlaces {
  return {
    http: http_url ?? base_url,
    mqtt: mqtt_url ?? mqtts_url,
    shut: mqtt_shut,
    trust: ca === null ? {} : { ca },
  };
}

interface DoorUrls {
  readonly base_url: string;
  readonly http_url: string | null;
  readonly mqtt_url: string | null;
  readonly mqtts_url: string | null;
  /** Why plain MQTT is shut. */
  readonly mqtt_shut: string | null;
}

/** What is said of a door that did not answer. */
export function unanswered(error: unknown): DoorAnswer {
  const { code, message } = error as NodeJS.ErrnoException;
  return noAnswer(`The door of the device did not answer: ${code ?? message}.`);
}
