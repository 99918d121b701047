import type { IncomingMessage } from 'node:http';
import type { Envelope } from '#shared/schema/envelope.ts';
import { machineClock, type MonotonicMs } from '../base/machine-clock.ts';
import type { Principal } from '../api/call.ts';
import type { Sender } from '../store/metadata/sender.ts';
import type { RequestsSeen, Seen } from '../requests/requests-seen.ts';
import { secretOf } from './authenticate.ts';

/** Where the traces of a door's requests go. */
export interface TraceSink {
  readonly requests: Pick<RequestsSeen, 'add'>;
  readonly door: 'http' | 'https';
}

/** Request trace: facts about a request that a door gathers on the way to its answer. */
export interface RequestTrace {
  readonly beganMs: MonotonicMs;
  /** The operation, or what devices store by. */
  readonly operation: string | null;
  principal?: Principal;
  sender?: Sender;
  /** The beginning of its body. */
  body?: Uint8Array | null;
  /** The project that its path names. */
  project_id?: string | undefined;
}

export const newTrace = (operation: string | null): RequestTrace => ({
  beganMs: machineClock.monotonicMs(),
  operation,
});

/** Adds an answered request to requests seen. */
export function endTrace(
  { requests, door }: TraceSink,
  raw: IncomingMessage,
  answer: Envelope,
  { beganMs, operation, principal, sender, body, project_id }: RequestTrace,
): void {
  const { status, message, data } = answer;
  const isRefused = status >= 400;
  const seen: Seen = {
    door,
    operation,
    answer,
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
