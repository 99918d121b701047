import type { Value } from '#core/store/store.ts';
import { quote } from '#shared/values/validate.ts';
import { checkedText, keyFault, MAX_KEYS, RecordFault, tooManyKeys } from './record.ts';

/** Objects and arrays within each other, the record itself included. */
const MAX_DEPTH = 4;

/**
 * The data keys of a parsed JSON object, without its own `timestamp`: `{"a":{"b":1},"c":[2]}` becomes `a.b` and `c.0`.
 * `null` is an absent key. Two ways to one key (`{"a.b":1,"a":{"b":2}}`) are refused, since either choice would lose a value;
 * a name that one object repeats cannot be seen here: its reader keeps the last (RFC 8259, section 4). Throws RecordFault, also where
 * objects and arrays lie within each other more than `deepest` times.
 */
export function flatten(object: object, deepest = MAX_DEPTH): { keys: string[]; values: Value[] } {
  const keys: string[] = [];
  const values: Value[] = [];
  let nested = false;

  function visit(container: object, prefix: string, depth: number): void {
    for (const [name, value] of Object.entries(container) as [string, unknown][]) {
      if (value === null || (depth === 1 && name === 'timestamp')) continue;
      const key = prefix + name;
      if (typeof value === 'object') {
        if (depth === deepest)
          throw new RecordFault(`objects and arrays may be nested ${deepest} deep, ${quote(key)} is deeper`);
        nested = true;
        visit(value, `${key}.`, depth + 1);
        continue;
      }
      const fault = keyFault(key);
      if (fault !== null) throw new RecordFault(fault);
      if (keys.length === MAX_KEYS) throw tooManyKeys();
      keys.push(key);
      values.push(checkedValue(key, value));
    }
  }

  visit(object, '', 1);
  if (nested) refuseDuplicates(keys);
  return { keys, values };
}

function checkedValue(key: string, value: unknown): Value {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return checkedText(key, value);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new RecordFault(`the number of ${quote(key)} is too large: at most 1.7976931348623157e308`);
  }
  throw new RecordFault(`${quote(key)} must be a number, text, true, false or null, got ${quote(value)}`);
}

function refuseDuplicates(keys: readonly string[]): void {
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) throw new RecordFault(`two values for the key ${quote(key)}`);
    seen.add(key);
  }
}
