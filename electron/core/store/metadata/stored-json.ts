import { z } from 'zod';

type JsonObject = Record<string, z.core.util.JSONType>;

/**
 * An object of names and JSON values that a file can give back as it is, however deep and however large: what an earlier
 * version accepted is read, whatever is accepted today.
 */
export const storedJson = z.custom<JsonObject>(isStoredJson, 'must be an object of names and JSON values');

function isStoredJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const seen = new Set<object>();
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'object' && next !== null) {
      if (seen.has(next)) return false;
      seen.add(next);
      for (const inner of Object.values(next) as unknown[]) left.push(inner);
    } else if (typeof next === 'number' ? !Number.isFinite(next) : !isScalar(next)) return false;
  }
  return true;
}

const isScalar = (value: unknown) =>
  value === null || typeof value === 'string' || typeof value === 'boolean';
