import type { Envelope } from '#shared/schema/envelope.ts';
import { quote } from '#shared/values/validate.ts';
import { hideSecrets } from './hide-secrets.ts';

/** UTF-16 code units of a body that are kept. */
const MOST = 2048;
/** A token that begins just before the end must be seen whole to be known as one: so much behind it is looked at, too. */
const BEHIND = 512;
/** Bytes that are looked at. */
export const LOOKED_AT = MOST + BEHIND;
/** UTF-16 code units that stay of one where there are many others. */
export const SHORT = 256;

/** The beginning of a body as text, without what could be a token; null for none. */
export function excerptOf(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.byteLength === 0) return null;
  const { buffer, byteOffset, byteLength } = bytes;
  const text = Buffer.from(buffer, byteOffset, Math.min(byteLength, LOOKED_AT)).toString('utf8');
  const shown = hideSecrets(text);
  return cut(shown, byteLength > LOOKED_AT ? Math.max(0, Math.min(MOST, shown.length - BEHIND)) : MOST);
}

/** The head of the last answer to a device or with encoded data: thousands of them a second are the same. */
let last = { action: '', status: 0, message: '', data: NaN as number | 'encoded', head: '' };

/** The beginning of an answer as text, of one whose data is encoded what stands before that; without what could be a token. */
export function headOf(answer: Envelope): string {
  const { data, ...envelope } = answer;
  const { action, status, message } = envelope;
  const kept = isEncoded(data) ? 'encoded' : (data as { readonly stored?: unknown } | null)?.stored;
  if (kept === last.data && message === last.message && action === last.action && status === last.status)
    return last.head;
  const begun = `${JSON.stringify(envelope).slice(0, -1)},"data":`;
  const head = cut(hideSecrets(kept === 'encoded' ? begun : begun + quote(data)), SHORT);
  if (kept === 'encoded' || typeof kept === 'number') last = { action, status, message, data: kept, head };
  return head;
}

const isEncoded = (data: unknown) =>
  typeof data === 'object' &&
  data !== null &&
  !Array.isArray(data) &&
  Object.getPrototypeOf(data) !== Object.prototype;

/** Returns at most so many code units, as a text of its own: a part of another keeps all of that in memory. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return `${Buffer.from(text.slice(0, end), 'utf16le').toString('utf16le')}…`;
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;
