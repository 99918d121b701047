import { MOST_PORT, UPLINK_PREFIX, type PayloadForm } from '#shared/domain/decoders.ts';
import { parseJson } from '#shared/values/json.ts';
import { formatCount } from '#shared/values/counts.ts';
import type { Micros } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../base/errors.ts';
import { EMPTY, formOf, NOT_UTF8 } from '../ingest/payload.ts';
import { RecordFault, recordTime } from '../ingest/record.ts';
import { toRecord } from '../ingest/to-record.ts';
import type { StoredRecord } from '../store/store.ts';
import { bytesOf, checkedPayload } from './payload-bytes.ts';

/** Payloads of one request, which are decoded together. */
const MOST_UPLINKS = 10_000;

/** Port of a payload that names none (TS013-1.0.0 asks for one). */
const FIRST_PORT = 1;

/** Payload as a device sent it. */
export interface Uplink {
  readonly timestamp: Micros;
  readonly received: Micros;
  readonly bytes: Buffer;
  /** Null: the device sent none. */
  readonly port: number | null;
}

/** Port that a decoder is told. */
export const portOf = ({ port }: Pick<Uplink, 'port'>, form: PayloadForm): number =>
  port ?? form.port ?? FIRST_PORT;

interface Sent {
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
  readonly received: Micros;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads what a device sends as the payloads of a form (docs/functions.md, "What is taken for bytes"); an object without a payload is an
 * ordinary record. Throws a 400 Refusal that names the first bad one, counted from 1.
 */
export function readUplinks(form: PayloadForm, sent: Sent): (Uplink | StoredRecord)[] {
  const { received, bytes } = sent;
  if (form.payload !== 'json') {
    const { payload } = form;
    const read = () => (payload === 'bytes' ? checkedPayload(bytes) : bytesOf(textOf(bytes), payload));
    return [{ timestamp: received, received, bytes: numbered(1, read), port: null }];
  }
  const values = valuesOf(sent);
  if (values.length === 0) throw badRequest(EMPTY);
  if (values.length > MOST_UPLINKS)
    throw badRequest(
      `A request stores at most ${formatCount(MOST_UPLINKS)} payloads of a decoder; send the others in further ones.`,
    );
  return values.map((value, i) => numbered(i + 1, () => uplinkOf(value, form, received)));
}

/** Throws a 400 Refusal with the record's number where its reader throws RecordFault. */
function numbered<T>(record: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RecordFault)) throw error;
    throw badRequest(`record ${record}: ${error.message}`);
  }
}

function valuesOf({ contentType, bytes }: Sent): readonly unknown[] {
  const text = textOf(bytes);
  if (formOf(contentType) === 'lines')
    return text
      .split('\n')
      .flatMap((line, i) => (line.trim() === '' ? [] : [jsonOf(line, `record ${i + 1}`)]));
  const value = jsonOf(text, 'The body');
  return Array.isArray(value) ? value : [value];
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badRequest(NOT_UTF8);
  }
}

function jsonOf(text: string, what: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw badRequest(`${what} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function uplinkOf(
  value: unknown,
  form: PayloadForm & { readonly payload: 'json' },
  received: Micros,
): Uplink | StoredRecord {
  const payload = at(value, form.at);
  if (payload === undefined || payload === null) return checkedRecord(toRecord(value, received));
  if (typeof payload !== 'string')
    throw new RecordFault(`${quote(form.at)} must be text in ${form.encoding}, got ${quote(payload)}`);
  const { timestamp = null } = value as { timestamp?: unknown };
  const port = form.port_at === undefined ? null : (at(value, form.port_at) ?? null);
  return {
    timestamp: timestamp === null ? received : recordTime(timestamp),
    received,
    bytes: bytesOf(payload, form.encoding),
    port: port === null ? null : checkedPort(port, form.port_at ?? ''),
  };
}

function checkedPort(port: unknown, name: string): number {
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= MOST_PORT) return port;
  throw new RecordFault(`${quote(name)} must be a whole number from 0 to ${MOST_PORT}, got ${quote(port)}`);
}

/** Its bytes would be decoded as if they had come from the device. */
function checkedRecord(record: StoredRecord): StoredRecord {
  const reserved = record.keys.find((key) => key.startsWith(UPLINK_PREFIX));
  if (reserved === undefined) return record;
  throw new RecordFault(`the key ${quote(reserved)} is kept for what a decoder takes and says`);
}

/** Returns what stands at a path of own fields and indexes; undefined where nothing does. */
function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
