import type { Source } from '#shared/domain/sources.ts';
import type { DoorAnswer, DoorPlaces } from '../simulate/ways/door.ts';
import { openDoor, unanswered } from '../simulate/ways/open-door.ts';

/** The same reading as in the examples that people paste. */
const READING = '{"temperature": 21.5}';

/**
 * Sends a reading as the device would: to the door of its source, over the network stack, with its token. A door that is
 * shut or does not answer is an answer, too.
 */
export async function sendTestReading(
  { source, ...login }: { readonly id: string; readonly source: Source; readonly token: string },
  places: DoorPlaces,
): Promise<DoorAnswer> {
  const door = openDoor(source, login, places);
  try {
    return await door.send(READING);
  } catch (error) {
    return unanswered(error);
  } finally {
    door.close();
  }
}
