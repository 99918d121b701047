import type { IncomingMessage } from 'node:http';
import type { Envelope } from '#shared/schema/envelope.ts';
import { machineClock, type MonotonicMs } from '../base/machine-clock.ts';
import type { Principal } from '../api/call.ts';
import type { Sender } from '../ingest/ingest.ts';
import type { RequestsSeen, Seen } from '../requests/requests-seen.ts';
import { secretOf } from './authenticate.ts';

/** Where a door tells what was asked and what became of it. */
export interface Sights {
  readonly requests: Pick<RequestsSeen, 'add'>;
  readonly door: 'http' | 'https';
}

/** What a door learns of a request on the way to its answer. */
export interface Sight {
  readonly beganMs: MonotonicMs;
  principal?: Principal;
  sender?: Sender;
  /** The beginning of its body. */
  body?: Uint8Array | null;
  /** The project that its path names. */
  project_id?: string | undefined;
}

export const newSight = (): Sight => ({ beganMs: machineClock.monotonicMs() });

/** Tells of an answered request. */
export function tell(
  { requests, door }: Sights,
  raw: IncomingMessage,
  { status, message, data }: Envelope,
  { beganMs, principal, sender, body, project_id }: Sight,
): void {
  const isRefused = status >= 400;
  const seen: Seen = {
    door,
    method: raw.method ?? '',
    path: raw.url ?? '',
    status,
    isRefused,
    device: sender,
    key: principal,
    // What a refused request names may be somebody else's.
    project_id: isRefused ? undefined : project_id,
    token: status === 401 ? secretIn(raw) : undefined,
    stored: !isRefused && sender !== undefined ? storedOf(data) : 0,
    message: isRefused ? message : undefined,
    body: body ?? null,
    from: raw.socket.remoteAddress ?? '',
    beganMs,
  };
  requests.add(seen);
}

function secretIn({ headers: { authorization } }: IncomingMessage): string | undefined {
  return secretOf(authorization, 'Bearer') ?? secretOf(authorization, 'Basic') ?? undefined;
}

const storedOf = (data: unknown) => (data as { readonly stored: number }).stored;
