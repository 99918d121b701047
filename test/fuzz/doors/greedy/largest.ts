import { z } from 'zod';
import { operationOf, type OperationId } from '#shared/operations/index.ts';
import type { Schema } from '../../values.ts';

/* Inputs at the limits that an operation's own schema names. */

/** Bytes of JSON that are filled: a body has a mebibyte at most. */
const ROOM = 900 * 1024;
/** Of texts and objects whose schemas name no limit. */
const LONG = 60_000;
const LAST_INSTANT = '2200-12-31T23:59:59.999999Z';

/** Every field of an operation's input at its limit, but for those that `kept` has: ids, and what decides of the others. */
export function largestInput(
  id: OperationId,
  kept: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { properties = {} } = schemaOf(id);
  const names = Object.keys(properties).filter((name) => !Object.hasOwn(kept, name) || isData(kept[name]));
  const made = names.map((name) => [name, largest(properties[name] ?? {}, ROOM / names.length)]);
  return { ...kept, ...(Object.fromEntries(made) as Record<string, unknown>) };
}

const isData = (value: unknown) => typeof value === 'object' && value !== null;

function schemaOf(id: OperationId): Schema {
  return z.toJSONSchema(operationOf(id).input, { io: 'input', unrepresentable: 'any' }) as Schema;
}

/** The largest value of a schema, of about so many bytes at most. */
function largest(schema: Schema, room: number): unknown {
  const { type, enum: choices, anyOf, maximum, items, maxItems = Infinity, properties } = schema;
  if (choices) return choices.at(-1);
  if (anyOf) return largest(anyOf[0] ?? {}, room);
  if (type === 'number' || type === 'integer') return maximum ?? Number.MAX_SAFE_INTEGER;
  if (type === 'boolean') return true;
  if (type === 'array') {
    const item = largest(items ?? {}, room / Math.min(maxItems, 8));
    const bytes = JSON.stringify(item).length + 1;
    return Array<unknown>(Math.max(1, Math.min(maxItems, Math.floor(room / bytes)))).fill(item);
  }
  if (properties) {
    const fields = Object.entries(properties);
    return Object.fromEntries(fields.map(([name, each]) => [name, largest(each, room / fields.length)]));
  }
  if (type === 'object') return { deep: 'x'.repeat(Math.min(LONG, room)) };
  return text(schema, room);
}

function text({ format, maxLength = LONG }: Schema, room: number): string {
  if (format === 'date-time') return LAST_INSTANT;
  if (format === 'uuid') return crypto.randomUUID();
  // Two bytes each in UTF-8.
  return 'ä'.repeat(Math.max(1, Math.min(maxLength, Math.floor(room / 2))));
}
