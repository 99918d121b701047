import type { IncomingMessage } from 'node:http';
import type { Envelope } from '#shared/schema/envelope.ts';
import { machineClock, type MonotonicMs } from '../base/machine-clock.ts';
import type { Principal } from '../api/call.ts';
import type { Sender } from '../store/metadata/sender.ts';
import type { RequestsSeen, Seen } from '../requests/requests-seen.ts';
import { secretOf } from './authenticate.ts';

/** Status of what has no answer. */
const UNANSWERED = 0;

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
  /** Name of the fault that it met. */
  fault?: string;
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
  trace: RequestTrace,
): void {
  const { operation, principal, sender, body, project_id } = trace;
  const { status, message, data } = answer;
  const isRefused = status >= 400;
  const seen: Seen = {
    ...knownOf(raw, trace),
    door,
    operation,
    answer,
    status,
    isRefused,
    device: sender,
    key: principal,
    // What a refused request names may be somebody else's.
    project_id: isRefused ? undefined : project_id,
    // That of a fault is known.
    token: status === 401 && trace.fault === undefined ? secretIn(raw) : undefined,
    stored: !isRefused && sender !== undefined ? storedOf(data) : 0,
    message: isRefused ? message : undefined,
    body: body ?? null,
  };
  requests.add(seen);
}

/** Adds a request to requests seen that a fault leaves without an answer. `message`: why. */
export function endUnanswered(
  { requests, door }: TraceSink,
  raw: IncomingMessage,
  message: string,
  trace: RequestTrace,
): void {
  const { operation, principal, sender } = trace;
  requests.add({
    ...knownOf(raw, trace),
    door,
    operation,
    status: UNANSWERED,
    isRefused: true,
    device: sender,
    key: principal,
    message,
  });
}

const knownOf = (raw: IncomingMessage, { beganMs, fault }: RequestTrace) => ({
  method: raw.method ?? '',
  path: raw.url ?? '',
  from: raw.socket.remoteAddress ?? '',
  fault,
  beganMs,
});

function secretIn({ headers: { authorization } }: IncomingMessage): string | undefined {
  return secretOf(authorization, 'Bearer') ?? secretOf(authorization, 'Basic') ?? undefined;
}

const storedOf = (data: unknown) => (data as { readonly stored: number }).stored;
