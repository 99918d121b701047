/* Names of decoders and of what they store, apart from their schema, which the start of a window needs not. */

/** `type` of a function that decodes. */
export const DECODER = 'decoder';

/** Bytes of one payload: as hexadecimal they are a text that a record may hold. */
export const MOST_PAYLOAD = 32_768;

/** Ports of applications (LoRaWAN L2 1.0.4, 4.3.2), and 0. */
export const MOST_PORT = 255;

/** Keys of a record that was decoded: its bytes in hexadecimal, its port, and what the decoder says of it. */
export const UPLINK = {
  bytes: 'uplink.bytes',
  port: 'uplink.port',
  warning: 'uplink.warning',
  error: 'uplink.error',
} as const;
/** What the keys of a decoder may not begin with. */
export const UPLINK_PREFIX = 'uplink.';

const UPLINK_KEYS: ReadonlySet<string> = new Set(Object.values(UPLINK));

/** Whether a key is of how a payload came, and not of what it measured. */
export const isUplinkKey = (key: string): boolean => UPLINK_KEYS.has(key);
