import { MOST_PAYLOAD, type Encoding } from '#shared/domain/decoders.ts';
import { hexDigits } from '#shared/values/hex.ts';
import { quote } from '#shared/values/validate.ts';
import { RecordFault } from '../ingest/record.ts';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Returns the bytes that a text stands for. Throws RecordFault. */
export function bytesOf(text: string, encoding: Encoding): Buffer {
  return checkedPayload(encoding === 'hex' ? ofHex(text) : ofBase64(text));
}

/** Passes on a payload that is short enough; throws RecordFault on others. */
export function checkedPayload(bytes: Buffer): Buffer {
  if (bytes.byteLength <= MOST_PAYLOAD) return bytes;
  throw new RecordFault(`a payload must be at most 32,768 bytes, got ${bytes.byteLength}`);
}

function ofHex(text: string): Buffer {
  const digits = hexDigits(text);
  if (digits === null)
    throw new RecordFault(`the payload must be pairs of hexadecimal digits, got ${quote(text)}`);
  return Buffer.from(digits, 'hex');
}

/** RFC 4648, sections 4 and 5: either alphabet, padded or not. */
function ofBase64(text: string): Buffer {
  const plain = text.replaceAll(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  if (!BASE64.test(plain)) throw new RecordFault(`the payload must be Base64, got ${quote(text)}`);
  return Buffer.from(plain, 'base64');
}
