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
export function endTrace(sink: TraceSink, raw: IncomingMessage, answer: Envelope, trace: RequestTrace): void {
  sink.requests.add(seenOf(sink, raw, trace, answer.status, answer.message, answer));
}

/** Adds a request to requests seen that a fault leaves without an answer. `message`: why. */
export function endUnanswered(
  sink: TraceSink,
  raw: IncomingMessage,
  message: string,
  trace: RequestTrace,
): void {
  sink.requests.add(seenOf(sink, raw, trace, UNANSWERED, message));
}

function seenOf(
  { door }: TraceSink,
  raw: IncomingMessage,
  { beganMs, operation, principal, sender, body, project_id, fault }: RequestTrace,
  status: number,
  message: string,
  answer?: Envelope,
): Seen {
  const isRefused = status === UNANSWERED || status >= 400;
  return {
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
    // That of a fault is known.
    token: status === 401 && fault === undefined ? secretIn(raw) : undefined,
    stored: !isRefused && sender !== undefined ? storedOf(answer?.data) : 0,
    message: isRefused ? message : undefined,
    body: body ?? null,
    from: raw.socket.remoteAddress ?? '',
    fault,
    beganMs,
  };
}

function secretIn({ headers: { authorization } }: IncomingMessage): string | undefined {
  return secretOf(authorization, 'Bearer') ?? secretOf(authorization, 'Basic') ?? undefined;
}

const storedOf = (data: unknown) => (data as { readonly stored: number }).stored;
