import { z } from 'zod';

type JsonObject = Record<string, z.core.util.JSONType>;

/**
 * An object of names and JSON values, taken as it is. zod's own record makes a new one, which leaves out what is named
 * "__proto__"; and it calls itself for each level, of which a request may hold more than the stack.
 */
export const jsonObject = z
  .custom<JsonObject>(isJsonObject, 'must be an object of names and JSON values')
  .meta({ id: 'JsonObject', type: 'object', additionalProperties: true });

function isJsonObject(value: unknown): boolean {
  if (!isPlain(value)) return false;
  const seen = new Set<unknown>();
  const left: unknown[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === 'number' ? !Number.isFinite(next) : !isKnown(next)) return false;
    if (typeof next !== 'object' || next === null) continue;
    // What comes from a window may hold itself.
    if (seen.has(next)) return false;
    seen.add(next);
    for (const inner of Array.isArray(next) ? next : Object.values(next)) {
      if (inner === undefined) return false;
      left.push(inner);
    }
  }
  return true;
}

function isKnown(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Array.isArray(value) || isPlain(value);
  return typeof value === 'string' || typeof value === 'boolean';
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
