import { z } from 'zod';
import { ACTORS, OUTCOMES } from '#shared/domain/audit.ts';
import { parseJson } from '#shared/values/json.ts';
import type { Entry } from './entry.ts';

const text = z.string();
const named = z.array(z.object({ id: text, name: text.optional() }));
const fields = z.record(text, z.unknown()).nullable();

const entry = z.object({
  n: z.int().min(1),
  prev: text.regex(/^[0-9a-f]{64}$/),
  at: text,
  by: z.object({ kind: z.enum(ACTORS), name: text, id: text.optional() }),
  operation: text,
  outcome: z.enum(OUTCOMES),
  of: z.int().optional(),
  part: z.object({ number: z.int(), of: z.int() }).optional(),
  account_id: text.optional(),
  projects: named.optional(),
  devices: named.optional(),
  keys: z.array(text).optional(),
  changes: z.array(z.object({ table: text, id: text, before: fields, after: fields })).optional(),
  deletions: z.array(z.unknown()).optional(),
  facts: z.unknown().optional(),
  message: text.optional(),
  reason: text.optional(),
});

const link = z.object({ n: z.int().min(1), prev: text });

const json = (line: string): unknown => {
  try {
    return parseJson(line);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/** Returns the entry of a line; null where it is none. */
export function readEntry(line: string): Entry | null {
  const read = entry.safeParse(json(line));
  return read.success ? read.data : null;
}

/** Returns number and hash of the line before, as a line says them; null where it is none. */
export function readLink(line: string): Pick<Entry, 'n' | 'prev'> | null {
  const read = link.safeParse(json(line));
  return read.success ? read.data : null;
}
