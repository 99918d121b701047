import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Api } from '../api.ts';
import { expectDone, type DeviceIds, type MadeDevice } from './steps.ts';

/* A sensor that sends bytes, and the script of its maker. */

/** Temperature of the first two bytes, humidity of the third; the latter is missed where there is none. */
export const SCRIPT = `// Door sensor
function decodeUplink(input) {
  var bytes = input.bytes;
  if (bytes.length < 3) {
    throw new Error('too short');
  }
  return {
    data: {
      temperature: ((bytes[0] << 8) | bytes[1]) / 10,
      humidity: bytes[2]
    }
  };
}
`;

/** The same, mended: humidity is left out where it is not sent. */
export const MENDED = SCRIPT.replace('bytes.length < 3', 'bytes.length < 2').replace(
  'humidity: bytes[2]',
  'humidity: bytes[2] === undefined ? null : bytes[2]',
);

/** Writes a script as its maker's file. */
export async function scriptFile(folder: string, name: string, script = SCRIPT): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, script);
  return file;
}

/** Sends hexadecimal digits as the device does, over HTTP. */
export async function sendHex(api: Api, { token }: MadeDevice, hex: string): Promise<void> {
  await expectDone(api('POST', '/integrations/http', { key: token, body: hex, type: 'text/plain' }));
}

/** Adds a decoder as a program does. */
export async function makeDecoder(
  api: Api,
  { project_id, device_id }: DeviceIds,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const body = {
    device_id,
    name: 'Door sensor',
    type: 'decoder',
    script: SCRIPT,
    condition: { payload: 'hex' },
    ...fields,
  };
  const { data } = await expectDone(api('POST', `/_local/v1/projects/${project_id}/functions`, { body }));
  return (data as { id: string }).id;
}

/** How the decoder does, as its page says. */
export const decoderState = (page: Page) => page.getByRole('status', { name: 'State of the decoder' });
