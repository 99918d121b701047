import { readJson, type Json, type JsonObject } from './json.ts';
import { FIRST_TIME, LAST_TIME, readTime } from './time.ts';

/* What a device's body or a file of lines means, written from docs/api.md, "How devices store data". */

export type Value = string | number | boolean;

/** A record before its time of receipt is known: `time` in µs, null where the sender gave none. */
export interface Draft {
  readonly time: number | null;
  /** In UTF-16 code unit order of the keys. */
  readonly fields: readonly (readonly [key: string, value: Value])[];
}

/** Why a body is refused whole: the record, counted from 1 (null: the body itself), and the key it must name. */
export class Fault extends Error {
  readonly record: number | null;
  readonly key: string | null;

  constructor(record: number | null, key: string | null = null) {
    super(`record ${record}, key ${key}`);
    this.record = record;
    this.key = key;
  }
}

export type BodyType = 'json' | 'ndjson';

/** The records of a body. Throws the Fault of the first bad one. */
export function readBody(body: string, type: BodyType): Draft[] {
  if (type === 'ndjson')
    return body
      .split('\n')
      .flatMap((line, i) => (line.trim() === '' ? [] : draftOf(parsed(line, i + 1), i + 1)));
  const value = parsed(body, null);
  if (!Array.isArray(value)) return [draftOf(value, 1)];
  if (value.length === 0) throw new Fault(null);
  return value.map((each, i) => draftOf(each, i + 1));
}

function parsed(text: string, record: number | null): Json {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Fault(record);
    throw error;
  }
}

function draftOf(value: Json, record: number): Draft {
  if (!(value instanceof Map)) throw new Fault(record);
  const fields = new Map<string, Value>();
  flatten(value, '', 1, record, fields);
  if (fields.size === 0) throw new Fault(record);
  return { time: timeOf(value.get('timestamp') ?? null, record), fields: [...fields].toSorted(byKey) };
}

const byKey = ([a]: readonly [string, Value], [b]: readonly [string, Value]) => (a < b ? -1 : 1);

function flatten(
  container: JsonObject | Json[],
  prefix: string,
  depth: number,
  record: number,
  into: Map<string, Value>,
): void {
  const members = Array.isArray(container) ? container.entries() : container;
  for (const [name, value] of members) {
    if (value === null || (depth === 1 && name === 'timestamp')) continue;
    const key = `${prefix}${name}`;
    if (typeof value === 'object') {
      if (depth === 4) throw new Fault(record, key);
      flatten(value, `${key}.`, depth + 1, record, into);
      continue;
    }
    // Two ways to one key: either choice would lose a value.
    const bad = key === '' || key.length > 128 || key.includes(',') || into.has(key);
    if (bad || (typeof value === 'number' && !Number.isFinite(value))) throw new Fault(record, key);
    into.set(key, value);
    if (into.size > 256) throw new Fault(record);
  }
}

function timeOf(given: Json, record: number): number | null {
  if (given === null) return null;
  const whole = typeof given === 'number' && Number.isInteger(given);
  const time = typeof given === 'string' ? readTime(given) : whole ? given * 1000 : null;
  if (time === null || time < FIRST_TIME || time > LAST_TIME) throw new Fault(record, 'timestamp');
  return time;
}
