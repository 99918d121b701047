import { z } from 'zod';

type JsonObject = Record<string, z.core.util.JSONType>;

const RULE = 'must be an object of names and JSON values';
/** Bytes of one as JSON in UTF-8, without blanks. */
const MOST_BYTES = 65_536;

/**
 * An object of names and JSON values of any size, taken as it is: what is stored. zod's own record makes a new one, which
 * leaves out what is named "__proto__"; and it calls itself for each level, of which a file may hold more than the stack.
 */
export const storedJsonObject = z.custom<JsonObject>(isJsonObject, RULE);

/**
 * JSON object within the limits of a request (docs/running.md, "Limits"); shared/values/validate.ts has checked its nesting.
 */
export const jsonObject = storedJsonObject
  .refine(isSmall, `${RULE}, at most 65,536 bytes of JSON`)
  .meta({ id: 'JsonObject', type: 'object', additionalProperties: true });

const encoder = new TextEncoder();

function isSmall(value: JsonObject): boolean {
  return encoder.encode(JSON.stringify(value)).byteLength <= MOST_BYTES;
}

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
