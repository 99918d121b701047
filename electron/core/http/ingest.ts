import { succeeded } from '#shared/schema/envelope.ts';
import type { Answer } from '../api/call.ts';
import { answerTo } from '../api/answer-to.ts';
import type { Clock } from '../base/clock.ts';
import { unauthorized } from '../base/errors.ts';
import type { MonotonicMs } from '../base/machine-clock.ts';
import { answerUntil } from '../ingest/answer-until.ts';
import { requireSource, senderOfToken } from '../ingest/authenticate.ts';
import { askerOfDevice, type Asker } from '../ingest/memory-budget.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Sender } from '../store/metadata/sender.ts';
import type { Payload } from '../ingest/upload.ts';
import type { Logger } from '../base/logger.ts';
import type { Metadata } from '../store/metadata/metadata.ts';
import { hashSecret } from '../vault/secrets.ts';
import { secretOf } from './authenticate.ts';
import { receiptOf } from './idempotency-key.ts';

/** One POST /integrations/http, as the HTTP door hands it over. */
export interface IngestRequest {
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Called with the sender, once the token is known. */
  readonly known: (sender: Sender) => void;
  /**
   * The body, to be read once it is known whose it is; whole where all of it is there already. It, and reading, throw a
   * Refusal.
   */
  readonly body: (asker: Asker) => Uint8Array | AsyncIterable<Uint8Array>;
}

const ACTION = 'store data';

/** Makes the handler of POST /integrations/http (docs/api.md, "How devices store data"). It never rejects. */
export function createHttpIngest(parts: {
  readonly ingest: Ingest;
  readonly metadata: Metadata;
  readonly clock: Clock;
  readonly log: Logger;
}): (request: IngestRequest) => Promise<Answer> {
  const { ingest, metadata, clock, log } = parts;

  /**
   * Looks the token up again, before a fault of the body is answered: it may have been renewed, or its device deleted, while
   * that came.
   */
  async function whenRead(
    read: Promise<Payload>,
    hash: string,
  ): Promise<{ readonly sender: Sender; readonly payload: Payload; readonly untilMs: MonotonicMs }> {
    await read.catch(() => undefined);
    const untilMs = answerUntil();
    const sender = await senderOfToken(metadata, hash, { untilMs });
    return { sender, payload: await read, untilMs };
  }

  return async ({ authorization, contentType, idempotencyKey, known, body }) => {
    try {
      const hash = tokenHash(authorization);
      const firstMs = answerUntil();
      const first = await senderOfToken(metadata, hash, { untilMs: firstMs });
      known(first);
      requireSource(first.device, 'http');
      const receipt = receiptOf(idempotencyKey);
      const bytes = body(askerOfDevice(first.device));
      const read = ingest.read({ contentType, bytes, now: () => clock.now() }, first.device);
      const { sender, payload, untilMs } =
        read instanceof Promise
          ? await whenRead(read, hash)
          : { sender: first, payload: read, untilMs: firstMs };
      // What was stored already is answered as if it had just been.
      await ingest.store(sender, payload, { receipt, untilMs });
      const data = { stored: payload.count };
      return { envelope: succeeded(ACTION, 200, 'Data stored successfully.', data) };
    } catch (error) {
      return answerTo(ACTION, error, log, { isV2: false });
    }
  };
}

/** The hash of a token, sent raw as `Basic <device_token>` or `Bearer <device_token>`; throws a 401 Refusal. */
function tokenHash(authorization: string | undefined): string {
  if (!authorization)
    throw unauthorized(
      'The Authorization header is missing: send "Basic <device_token>" or "Bearer <device_token>".',
    );
  const token = secretOf(authorization, 'Basic') ?? secretOf(authorization, 'Bearer');
  if (token === null)
    throw unauthorized('The Authorization header must be "Basic <device_token>" or "Bearer <device_token>".');
  return hashSecret(token);
}
