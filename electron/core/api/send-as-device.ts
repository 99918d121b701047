import type { Source } from '#shared/domain/sources.ts';
import { doorPlaces, openDoor, unanswered } from '../remote/device-door/open-door.ts';
import type { DoorAnswer } from '../remote/device-door/door.ts';
import type { Context } from './context.ts';

/** The same reading as in the examples that people paste. */
const READING = { bytes: '{"temperature": 21.5}', type: 'application/json' };

/** Sends a reading as the device would. A door that is shut or does not answer is an answer, too. */
export async function sendTestReading(
  { id, source, token }: { readonly id: string; readonly source: Source; readonly token: string },
  { urls, caCertificate, chance }: Pick<Context, 'urls' | 'caCertificate' | 'chance'>,
): Promise<Pick<DoorAnswer, 'accepted' | 'message'>> {
  const client = `fieldbench-test-${chance.of(id).uuid()}`;
  const door = openDoor(source, { id, token, client }, () => doorPlaces(urls(), caCertificate()));
  try {
    const { accepted, message } = await door.send(READING);
    return { accepted, message };
  } catch (error) {
    const { accepted, message } = unanswered(error);
    return { accepted, message };
  } finally {
    door.close();
  }
}
