import type { IncomingMessage } from 'node:http';
import { RemoteError } from './failure.ts';

/** Bytes of one answer, or frame, of a service elsewhere: 10,000 records of many keys, or the arrays of a chart. */
export const MOST_OF_ANSWER = 256 * 1024 * 1024;

/** The whole body of an answer. Rejects with a RemoteError that has words alone where it is larger than any of ours. */
export async function answerText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  // Leaving it early destroys the connection.
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MOST_OF_ANSWER)
      throw new RemoteError(`It answers with more than ${MOST_OF_ANSWER} bytes at once.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length).toString();
}
