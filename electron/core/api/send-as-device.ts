import type { Source } from '#shared/domain/sources.ts';
import { doorPlaces, openDoor, unanswered } from '../remote/device-door/open-door.ts';
import type { DoorAnswer } from '#shared/operations/service/requests.ts';
import type { DevicePayload, DoorAnswer as Answer } from '../remote/device-door/door.ts';
import type { Context } from './context.ts';

/** Sends a message as the device would. A door that is shut or does not answer is an answer, too. */
export async function sendAsDevice(
  { id, source, token }: { readonly id: string; readonly source: Source; readonly token: string },
  payload: DevicePayload,
  { urls, caCertificate, chance }: Pick<Context, 'urls' | 'caCertificate' | 'chance'>,
): Promise<DoorAnswer> {
  const client = `fieldbench-send-${chance.of(id).uuid()}`;
  const door = openDoor(source, { id, token, client }, () => doorPlaces(urls(), caCertificate()));
  try {
    return answered(await door.send(payload));
  } catch (error) {
    return answered(unanswered(error));
  } finally {
    door.close();
  }
}

const answered = ({ accepted, message, http, mqtt }: Answer): DoorAnswer => ({
  accepted,
  message,
  http: http && { ...http, headers: [...http.headers] },
  mqtt: mqtt && { ...mqtt },
});
