import type { Envelope } from '#shared/schema/envelope.ts';
import { parseJson } from '#shared/values/json.ts';

/** Answer of a lab, or of a gateway before it. */
export interface LabAnswer {
  readonly success: boolean;
  readonly status: number;
  readonly message: string;
  readonly data: unknown;
}

/** No room, or no lab, just now: too many requests, and what gateways say of a service that starts anew (RFC 9110, 15.6). */
const JUST_NOW: readonly number[] = [429, 502, 503, 504];
/** RFC 9110, 15.5.14. */
export const TOO_LARGE = 413;

export const isJustNow = ({ status }: LabAnswer): boolean => JUST_NOW.includes(status);

/**
 * Reads an answer to a request of so many bytes. Gateways know no envelopes; what they say by their status is told in its
 * place. Throws where neither a Fieldbench nor such a gateway answers so.
 */
export function readAnswer(status: number, body: string, sentBytes: number): LabAnswer {
  const envelope = envelopeOf(body);
  if (envelope !== null) return envelope;
  const gateway = 'What stands before the lab';
  if (status === TOO_LARGE)
    return refused(status, `${gateway} takes no request of ${sentBytes} bytes (${status}).`);
  if (JUST_NOW.includes(status)) return refused(status, `${gateway} answers ${status}.`);
  throw new Error('it does not answer as a Fieldbench does');
}

const refused = (status: number, message: string): LabAnswer => ({
  success: false,
  status,
  message,
  data: null,
});

function envelopeOf(body: string): Envelope | null {
  let read: unknown;
  try {
    read = parseJson(body);
  } catch {
    return null;
  }
  const isEnvelope =
    typeof read === 'object' && read !== null && 'success' in read && 'message' in read && 'status' in read;
  return isEnvelope ? (read as Envelope) : null;
}
