import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Reply } from './mqtt/wire.ts';

/** docs/api.md, "Statuses": none of them says that the service failed. */
const STATUSES = new Set([200, 201, 303, 400, 401, 403, 404, 413, 429, 503]);
/** What tells of the inside. */
const INSIDE = /\n\s+at |node_modules|\.ts:\d|electron\/core/;

/** Expects an answer that this service gives: a status it has, and an envelope that repeats it where it refuses. */
export function expectAnswer({ status, headers, body }: Reply, about: string): void {
  const what = `${about}\n→ ${status} ${body.slice(0, 500)}`;
  ok(STATUSES.has(status), what);
  deepStrictEqual(headers.get('x-content-type-options'), 'nosniff', what);
  const isPage = headers.get('content-type')?.startsWith('text/html') === true;
  if (status < 400 || isPage || body === '') return;
  const envelope = JSON.parse(body) as Record<string, unknown>;
  deepStrictEqual(Object.keys(envelope), ['success', 'action', 'status', 'message', 'data'], what);
  deepStrictEqual([envelope['success'], envelope['status'], envelope['data']], [false, status, null], what);
  ok(!INSIDE.test(String(envelope['message']).replace(/got .*/s, '')), what);
}

/** How many records an answer acknowledges. */
export function storedBy({ status, body }: Reply): number {
  if (status !== 200) return 0;
  const { data } = JSON.parse(body) as { data: { stored?: number } | null };
  return data?.stored ?? 0;
}

/** Bytes for a message to a person. */
export const shown = (bytes: Uint8Array) =>
  JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 600));
