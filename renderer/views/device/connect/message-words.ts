import type { DoorAnswer } from '#shared/operations/service/requests.ts';
import type { KeyFacts } from '#shared/operations/records/key-facts.ts';
import { READING } from '../../../components/facts/snippets/reading.ts';

/* A message that is sent for a device, and what its door answers, as they are written. */

/** Keys of an example: more would have to be scrolled. */
const MOST_KEYS = 12;
/** Texts of an example are not cut in the middle. */
const CUT = '…';

/** A message as the device sends it: the newest values of its keys, else the reading of the examples. */
export function exampleOf(facts: readonly Pick<KeyFacts, 'key' | 'value'>[]): string {
  const shown = facts.filter(({ value }) => typeof value !== 'string' || !value.endsWith(CUT));
  if (shown.length === 0) return READING;
  // One by one: "__proto__" is a key as any other.
  const fields = shown
    .slice(0, MOST_KEYS)
    .map(({ key, value }) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return fields.length > 2 ? `{\n  ${fields.join(',\n  ')}\n}` : `{${fields.join(', ')}}`;
}

/** Why a message cannot be read in this form, in words; null where it can be. Its door looks closer. */
export function whyUnread(text: string, isLines: boolean): string | null {
  const parts = isLines ? text.split('\n').filter((line) => line.trim() !== '') : [text];
  for (const [at, part] of parts.entries())
    try {
      JSON.parse(part);
    } catch {
      return isLines ? `Line ${at + 1} is no JSON.` : 'This is no JSON.';
    }
  return null;
}

/** Headers that every answer has, or that are about the connection alone. */
const USUAL =
  /^(date|connection|cache-control|keep-alive|content-length|transfer-encoding|vary|server|x-content-type-options|x-frame-options|referrer-policy|content-security-policy|cross-origin-.*|strict-transport-security|permissions-policy)$/i;

/** The answer in the words of its protocol: `200 OK`, `PUBACK, reason code 0x99`; null where there was none. */
export function replyWords({ http, mqtt }: Pick<DoorAnswer, 'http' | 'mqtt'>): string | null {
  if (http) return `${http.status} ${http.reason}`.trim();
  if (mqtt) return `${mqtt.packet}, reason code 0x${mqtt.reason_code.toString(16).padStart(2, '0')}`;
  return null;
}

/** The answer as the device gets it, without headers that say nothing; null where its words say all. */
export function replyText({ http, mqtt }: Pick<DoorAnswer, 'http' | 'mqtt'>): string | null {
  if (http) {
    const headers = http.headers.filter(({ name }) => !USUAL.test(name));
    return [...headers.map(({ name, value }) => `${name}: ${value}`), '', http.body].join('\n');
  }
  return mqtt && mqtt.reason_string !== null ? `Reason String: ${mqtt.reason_string}` : null;
}
