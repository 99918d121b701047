import type { IncomingMessage } from 'node:http';
import { parseJson } from '#shared/values/json.ts';
import { badRequest, Refusal } from '../base/errors.ts';

/** The plan of a push has some hundred bytes for each device. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the body of a request. Rejects with a 400 or 413 Refusal where it cannot be read. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MOST_BYTES) throw new Refusal(413, `A request takes at most ${MOST_BYTES} bytes.`);
    pieces.push(piece);
  }
  try {
    return parseJson(Buffer.concat(pieces).toString());
  } catch (cause) {
    throw badRequest(`body must be JSON: ${(cause as Error).message}`);
  }
}
