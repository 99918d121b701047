import type { Source } from '#shared/domain/sources.ts';
import type { Door, DoorAnswer, DoorPlaces, Login } from './door.ts';
import { openHttpDoor } from './http-door.ts';
import { openMqttDoor } from './mqtt-door.ts';

const OPEN: Readonly<Record<Source, (login: Login, places: DoorPlaces) => Door>> = {
  http: openHttpDoor,
  mqtt: openMqttDoor,
};

/** Connects when something is sent. */
export const openDoor = (source: Source, login: Login, places: DoorPlaces): Door =>
  OPEN[source](login, places);

/** What is said of a door that did not answer. */
export function unanswered(error: unknown): DoorAnswer {
  const { code, message } = error as NodeJS.ErrnoException;
  return { accepted: false, message: `The door of the device did not answer: ${code ?? message}.` };
}
