import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../api/call.ts';
import type { Act } from '../../faults/act.ts';
import { INGEST, type RequestFacts } from '../../faults/facts.ts';
import type { Faults } from '../../faults/faults.ts';
import { senderOfToken } from '../../ingest/authenticate.ts';
import type { Sender } from '../../store/metadata/sender.ts';
import type { Metadata } from '../../store/metadata/metadata.ts';
import { secretOf, type Authenticate } from '../authenticate.ts';
import type { RequestTrace, TraceSink } from '../request-trace.ts';
import { pathOf } from '../upgrades.ts';
import { hashSecret } from '../../vault/secrets.ts';

/** Faults as the doors of HTTP have them. */
export interface HttpFaults {
  /** Whether a request, of which it is not known yet who asks, may meet a rule: all that every other one costs. */
  mayMeet(request: IncomingMessage, door: TraceSink['door'], trace: RequestTrace): boolean;
  /** Act of a rule on a request that may meet one, which its trace notes with who asks; null for none. */
  meet(request: IncomingMessage, door: TraceSink['door'], trace: RequestTrace): Promise<Act | null>;
}

/** Where faults are switched off: no rule keeps anybody from it. */
const OWN_PATH = '/_local/v1/faults';

export function createHttpFaults(parts: {
  readonly faults: Faults;
  readonly authenticate: Authenticate;
  readonly metadata: Metadata;
}): HttpFaults {
  const { faults, authenticate, metadata } = parts;

  /** Who asks; nobody where that is not known. */
  async function askerOf(
    { headers: { authorization } }: IncomingMessage,
    operation: string | null,
  ): Promise<{ readonly sender?: Sender; readonly principal?: Principal }> {
    try {
      if (operation !== INGEST) return { principal: await authenticate(authorization) };
      const token = secretOf(authorization, 'Basic') ?? secretOf(authorization, 'Bearer');
      return token === null ? {} : { sender: await senderOfToken(metadata, hashSecret(token)) };
    } catch {
      // The request itself asks again, and is answered with it.
      return {};
    }
  }

  return {
    mayMeet(request, door, { operation }) {
      if (!faults.isOn) return false;
      const { method = '', url: path = '' } = request;
      return faults.mayMeet({ door, operation, method, path }) && pathOf(request) !== OWN_PATH;
    },
    async meet(request, door, trace) {
      const { operation } = trace;
      const { method = '', url: path = '' } = request;
      const { sender, principal } = await askerOf(request, operation);
      const facts: RequestFacts = {
        door,
        operation,
        method,
        path,
        key_id: principal?.key_id ?? null,
        device_id: sender?.device.id ?? null,
      };
      const act = faults.meet(sender?.account_id ?? principal?.account_id ?? null, facts);
      if (act === null) return null;
      trace.fault = act.name;
      if (sender !== undefined) trace.sender = sender;
      if (principal !== undefined) trace.principal = principal;
      return act;
    },
  };
}
