import { sendAsDevice, type Login } from '../remote/send-as-device.ts';
import type { Context } from './context.ts';

/** The same reading as in the examples that people paste. */
const READING = '{"temperature": 21.5}';

/** Answer of the door. */
export interface TestAnswer {
  readonly accepted: boolean;
  readonly message: string;
}

/** Sends a reading as the device would. A door that is shut or does not answer is an answer, too. */
export async function sendTestReading(
  device: Login,
  { urls, caCertificate, chance }: Pick<Context, 'urls' | 'caCertificate' | 'chance'>,
): Promise<TestAnswer> {
  const { base_url, http_url, mqtt_url, mqtts_url, mqtt_shut } = urls();
  const ca = caCertificate();
  const doors = {
    http: http_url ?? base_url,
    mqtt: mqtt_url ?? mqtts_url,
    shut: mqtt_shut,
    trust: ca === null ? {} : { ca },
  };
  const client = `fieldbench-test-${chance.of(device.id).uuid()}`;
  try {
    const { accepted, message } = await sendAsDevice(device, doors, {
      bytes: READING,
      type: 'application/json',
      client,
    });
    return { accepted, message };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { accepted: false, message: `The door of the device did not answer: ${code ?? message}.` };
  }
}
