import type { z } from 'zod';

export type Validated<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/**
 * Checks an operation's input. The message names the first field at fault, what it takes and what it got:
 * `limit must be a whole number from 1 to 10000, got "0"`.
 */
export function validate<S extends z.ZodType>(schema: S, input: unknown): Validated<z.output<S>> {
  const result = schema.safeParse(input);
  if (result.success) return { ok: true, value: result.data };
  const issue = result.error.issues[0];
  if (!issue) return { ok: false, message: 'The request is not valid.' };
  const field = issue.path.length > 0 ? issue.path.map(String).join('.') : 'body';
  const got = valueAt(input, issue.path);
  if (got === undefined) return { ok: false, message: `${field} is required: it ${issue.message}` };
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
/** More levels than a message has room for; deeper ones would overflow the stack of JSON.stringify. */
const SHOWN_DEPTH = SHOWN / 2;

/** A value as a message may show it: JSON, cut to 80 characters. What is large or deep costs no more than what is shown. */
export function quote(value: unknown): string {
  const json = JSON.stringify(beginningOf(value, SHOWN_DEPTH)) ?? typeof value;
  return json.length <= SHOWN ? json : `${json.slice(0, SHOWN - 3)}…`;
}

/** As much of a JSON value as is shown, and a little more. */
function beginningOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, SHOWN);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.slice(0, SHOWN).map((item) => beginningOf(item, depth - 1));
  const entries = Object.entries(value).slice(0, SHOWN);
  return Object.fromEntries(
    entries.map(([name, part]) => [name.slice(0, SHOWN), beginningOf(part, depth - 1)]),
  );
}
