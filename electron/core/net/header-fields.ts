import type { IncomingHttpHeaders } from 'node:http';
import { operationOf, type OperationId } from '#shared/operations/index.ts';

/** Fields that ride in headers (Operation.headers), or why they cannot be read. */
export type HeaderFields =
  | { readonly ok: true; readonly fields: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string };

const NONE: HeaderFields = { ok: true, fields: {} };

/** Reads the fields that an operation has in headers. One in the query as well is refused: addresses are logged. */
export function headerFields(id: OperationId, headers: IncomingHttpHeaders, query: object): HeaderFields {
  const named = operationOf(id).headers;
  if (named === undefined) return NONE;
  const fields: Record<string, string> = {};
  for (const [field, header] of Object.entries(named)) {
    if (Object.hasOwn(query, field))
      return { ok: false, message: `${field} must be in the header ${header}: addresses are logged.` };
    const given = headers[header.toLowerCase()];
    if (given === undefined) continue;
    const value = decoded(given.toString());
    if (value === null)
      return { ok: false, message: `${field} must be percent-encoded UTF-8 in the header ${header}.` };
    fields[field] = value;
  }
  return { ok: true, fields };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // The one thing that it throws for.
    return null;
  }
}
