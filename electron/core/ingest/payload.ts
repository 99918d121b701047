import { badRequest } from '#core/errors.ts';
import type { StoredRecord } from '#core/store/store.ts';
import { parseJson } from '#shared/json.ts';
import type { Micros } from '#shared/time.ts';
import { quote } from '#shared/validate.ts';
import { flatten } from './flatten.ts';
import { RecordFault, recordTime } from './record.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads what a device sent (docs/api.md, "How devices store data"): one JSON object, an array of them, or, with the
 * content type application/x-ndjson, one object a line. Any other content type, or none, is read as JSON: small devices
 * often name the wrong one. `received` becomes the time of records without `timestamp`. Throws a 400 Refusal that
 * names the first bad record, counted from 1; then nothing of the payload is to be stored.
 */
export function parsePayload(
  bytes: Uint8Array,
  contentType: string | undefined,
  received: Micros,
): StoredRecord[] {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw badRequest('The body is empty: send one JSON object, or an array of them.');
  if (isNdjson(contentType)) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line, index) =>
      recordFromObject(readJson(line, `record ${index + 1}`), index + 1, received),
    );
  }
  const body = readJson(text, 'The body');
  if (!Array.isArray(body)) return [recordFromObject(body, 1, received)];
  if (body.length === 0) throw badRequest('The body is an empty array: send at least one record.');
  return body.map((value, index) => recordFromObject(value, index + 1, received));
}

/** One parsed JSON value as a record. Throws a 400 Refusal that begins with `record <recordNumber>: `. */
function recordFromObject(value: unknown, recordNumber: number, received: Micros): StoredRecord {
  try {
    return toRecord(value, received);
  } catch (error) {
    if (error instanceof RecordFault) throw badRequest(`record ${recordNumber}: ${error.message}`);
    throw error;
  }
}

/** The same for readers that name the record in their own way. Throws RecordFault. */
export function toRecord(value: unknown, received: Micros): StoredRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RecordFault(`must be an object of keys and values, got ${quote(value)}`);
  const { keys, values } = flatten(value);
  if (keys.length === 0) throw new RecordFault('must hold at least one key with a value beside timestamp');
  const { timestamp = null } = value as { timestamp?: unknown };
  return { timestamp: timestamp === null ? received : recordTime(timestamp), received, keys, values };
}

/** Whether a content type, parameters and all, says newline-delimited JSON. */
function isNdjson(contentType: string | undefined): boolean {
  return /^application\/(x-)?ndjson\s*(;|$)/i.test(contentType?.trim() ?? '');
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badRequest('The body must be UTF-8 text; it holds bytes that are not.');
  }
}

function readJson(text: string, what: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw badRequest(`${what} is not valid JSON: ${(error as SyntaxError).message}`);
  }
}
