import type { Awaitable } from '../../base/awaitable.ts';
import { Refusal } from '../../base/errors.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Payload, PayloadSource } from '../../ingest/upload.ts';
import type { Sender } from '../../store/metadata/sender.ts';
import type { Version } from '../packets/version.ts';

/** Records of a message. */
interface Content {
  readonly device: Sender['device'];
  readonly version: Version;
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
}

const LINES = 'application/x-ndjson';
const OPENING = 0x7b;
const LINE_FEED = 0x0a;

/**
 * Reads the records of a message, or of a will. Over 3.1.1, which has no content type and no word for a refusal, what can mean
 * one thing alone is taken for it: the NUL that ends a text in C, and an object a line; not of a device with a decoder, whose bytes stay
 * as they are. `now`: as of PayloadSource. Throws, or rejects with, a 400 Refusal.
 */
export function readRecords(
  { ingest, now }: { readonly ingest: Pick<Ingest, 'read'> } & Pick<PayloadSource, 'now'>,
  { device, version, bytes, contentType }: Content,
): Awaitable<Payload> {
  if (version === 5 || device.decodes === true) return ingest.read({ contentType, bytes, now }, device);
  const text = bytes.at(-1) === 0 ? bytes.subarray(0, -1) : bytes;
  const asLines = (refused: unknown): Awaitable<Payload> => {
    if (!(refused instanceof Refusal) || text[0] !== OPENING || !text.includes(LINE_FEED)) throw refused;
    // It is neither, and what is wrong with it is said of what it would have been.
    return orElse(
      () => ingest.read({ contentType: LINES, bytes: text, now }, device),
      () => {
        throw refused;
      },
    );
  };
  return orElse(() => ingest.read({ contentType, bytes: text, now }, device), asLines);
}

/** Catches errors of a value or promise without waiting for a value: thousands of messages a second are read. */
function orElse<T>(first: () => Awaitable<T>, other: (error: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const value = first();
    return value instanceof Promise ? value.catch(other) : value;
  } catch (error) {
    return other(error);
  }
}
