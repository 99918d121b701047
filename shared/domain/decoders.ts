import { z } from 'zod';
import { only } from '../values/only.ts';
import { validate } from '../values/validate.ts';
import { alternatives } from '../values/text.ts';
import { MOST_PORT } from './decoder-names.ts';

/*
 * Decoders: functions that make values of the bytes that a device sends (docs/functions.md), in the form of the LoRa Alliance's Payload
 * Codec API (TS013-1.0.0).
 */

export { DECODER, MOST_PAYLOAD, MOST_PORT, UPLINK, UPLINK_PREFIX } from './decoder-names.ts';

/** Forms in which a device sends bytes. */
const PAYLOAD_FORMS = ['bytes', 'hex', 'base64', 'json'] as const;
const ENCODINGS = ['hex', 'base64'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const pathRule = 'must be a path of names with points between them, such as "uplink_message.frm_payload"';
const path = z.string(pathRule).min(1, pathRule).max(500, pathRule);
const portRule = `must be a whole number from 0 to ${MOST_PORT}`;
export const payloadPort = z.int(portRule).min(0, portRule).max(MOST_PORT, portRule);

const condition = z.discriminatedUnion(
  'payload',
  [
    only({ payload: z.enum(['bytes', 'hex', 'base64']), port: payloadPort.optional() }),
    only({
      payload: z.literal('json'),
      at: path,
      encoding: z.enum(ENCODINGS, `must be ${alternatives(ENCODINGS)}`),
      port: payloadPort.optional(),
      port_at: path.optional(),
    }),
  ],
  `must be ${alternatives(PAYLOAD_FORMS)}`,
);

/** How a device sends its bytes: the `condition` of a decoder. */
export type PayloadForm = Readonly<z.infer<typeof condition>>;

/** Returns the form that a decoder's `condition` says, or what is wrong with that, in words. */
export function payloadForm(given: object | null): PayloadForm | string {
  if (given === null)
    return 'condition is required: it says how the device sends bytes, as {"payload": "bytes"} does';
  const read = validate(condition, given, { at: 'condition' });
  return read.ok ? read.value : read.message;
}
