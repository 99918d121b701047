import { UPLINK, UPLINK_PREFIX } from '#shared/domain/decoders.ts';
import { parseJson } from '#shared/values/json.ts';
import { quote } from '#shared/values/validate.ts';
import { flatten } from '../ingest/flatten.ts';
import { RecordFault } from '../ingest/record.ts';
import type { StoredRecord, Value } from '../store/store.ts';
import type { Outcome } from './sandbox/outcome.ts';
import type { Uplink } from './uplinks.ts';

/** Characters of an error or warnings that are kept. */
const MOST_WORDS = 500;

/** What a decoder made of a payload. */
interface Decoded {
  readonly keys: readonly string[];
  readonly values: readonly Value[];
  readonly warning: string | null;
}

/**
 * Returns the record of a payload (docs/functions.md, "What is stored"): what the decoder returned beside the bytes, or why there
 * is nothing. Whatever the decoder did, it is a record that can be stored.
 */
export function recordOf({ timestamp, received, bytes, port }: Uplink, outcome: Outcome): StoredRecord {
  const keys: string[] = [UPLINK.bytes];
  const values: Value[] = [bytes.toString('hex')];
  const add = (key: string, value: Value) => {
    keys.push(key);
    values.push(value);
  };
  if (port !== null) add(UPLINK.port, port);
  try {
    const decoded = decodedOf(outcome);
    if (decoded.warning !== null) add(UPLINK.warning, decoded.warning);
    keys.push(...decoded.keys);
    values.push(...decoded.values);
  } catch (error) {
    if (!(error instanceof RecordFault)) throw error;
    add(UPLINK.error, cut(error.message));
  }
  return { timestamp, received, keys, values };
}

/** Throws RecordFault. */
function decodedOf(outcome: Outcome): Decoded {
  if (!outcome.ok) throw new RecordFault(outcome.message);
  const answer = parseJson(outcome.text);
  if (!isObject(answer)) throw new RecordFault(`the decoder must return an object, got ${quote(answer)}`);
  const { data, errors, warnings } = answer;
  const fault = words(errors);
  if (fault !== null) throw new RecordFault(fault);
  if (!isObject(data)) throw new RecordFault(`the decoder must return data as an object, got ${quote(data)}`);
  const { keys, values } = flattened(data);
  const reserved = keys.find((key) => key.startsWith(UPLINK_PREFIX));
  if (reserved !== undefined)
    throw new RecordFault(`the key ${quote(reserved)} is kept for what a decoder takes and says`);
  if (keys.length > MOST_DECODED) throw new RecordFault(`a decoder returns at most ${MOST_DECODED} keys`);
  return { keys, values, warning: words(warnings) };
}

/** A decoder does not set the time of a record: what it calls `timestamp` is a value as any other. */
function flattened({ timestamp, ...others }: Record<string, unknown>): ReturnType<typeof flatten> {
  const { keys, values } = flatten(others, DEEPEST);
  if (timestamp === undefined) return { keys, values };
  const beside = flatten({ data: { timestamp } }, DEEPEST);
  const twice = beside.keys.find((key) => keys.includes(key));
  if (twice !== undefined) throw new RecordFault(`two values for the key ${quote(twice)}`);
  return { keys: [...keys, ...beside.keys], values: [...values, ...beside.values] };
}

/** Objects and arrays within each other that decoders of makers return: more than devices send (ingest/flatten.ts). */
const DEEPEST = 12;

/** Keys of a record, less those of the bytes, the port and warnings. */
const MOST_DECODED = 253;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a list of texts as lines; null for none. */
function words(list: unknown): string | null {
  if (list === undefined || list === null || (Array.isArray(list) && list.length === 0)) return null;
  const lines = (Array.isArray(list) ? list : [list]) as readonly unknown[];
  return cut(lines.map((line) => (typeof line === 'string' ? line : quote(line))).join('\n'));
}

const cut = (text: string) => (text.length <= MOST_WORDS ? text : `${text.slice(0, MOST_WORDS - 1)}…`);
