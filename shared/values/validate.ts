import type { z } from 'zod';
import { MAX_NESTING, nestsDeeperThan } from './nesting.ts';

export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

/**
 * Checks an operation's input. The message names the first field at fault, what it takes and what it got:
 * `limit must be a whole number from 1 to 10000, got "0"`. What fields of `secrets` got is not shown; `at`: the path of the input.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  input: unknown,
  { secrets = [], at = '' }: { readonly secrets?: readonly string[] | undefined; readonly at?: string } = {},
): Validated<z.output<S>> {
  // Before any schema looks into it: some call themselves for each level.
  if (nestsDeeperThan(input, MAX_NESTING))
    return { ok: false, message: `${at || 'body'} must nest objects and arrays at most ${MAX_NESTING} deep` };
  const result = schema.safeParse(input);
  if (result.success) return { ok: true, value: result.data };
  const issue = result.error.issues[0];
  if (!issue) return { ok: false, message: 'The request is not valid.' };
  const field = [...(at === '' ? [] : [at]), ...issue.path.map(String)].join('.') || 'body';
  const got = valueAt(input, issue.path);
  if (got === undefined) return { ok: false, message: `${field} is required: it ${issue.message}` };
  if (secrets.includes(String(issue.path[0]))) return { ok: false, message: `${field} ${issue.message}` };
  return { ok: false, message: `${field} ${issue.message}, got ${quote(got)}` };
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

const SHOWN = 80;

/** A value as a message may show it: JSON, cut to 80 characters. What is large or deep costs no more than what is shown. */
export function quote(value: unknown): string {
  // Each part takes a character at least.
  const json = JSON.stringify(beginningOf(value, { parts: SHOWN })) ?? typeof value;
  return json.length <= SHOWN ? json : `${json.slice(0, SHOWN - 3)}…`;
}

/** As much of a JSON value as is shown, and a little more; `left` says how many parts that may still be. */
function beginningOf(value: unknown, left: { parts: number }): unknown {
  left.parts--;
  if (typeof value === 'string') return value.slice(0, SHOWN);
  if (typeof value === 'bigint') return `${value}`.slice(0, SHOWN);
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (let i = 0; i < value.length && left.parts > 0; i++) items.push(beginningOf(value[i], left));
    return items;
  }
  const entries: [string, unknown][] = [];
  for (const [name, part] of Object.entries(value)) {
    if (left.parts <= 0) break;
    entries.push([name.slice(0, SHOWN), beginningOf(part, left)]);
  }
  return Object.fromEntries(entries);
}
