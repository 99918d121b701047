import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { fileName } from '#shared/values/file-name.ts';
import { answerTo } from '../api/answer-to.ts';
import type { Call, Answer } from '../api/call.ts';
import type { Logger } from '../base/logger.ts';
import type { Asked } from './asked.ts';
import { BROKE_OFF, EXPORT_HEADERS } from './messages.ts';

/** Returns the input of what makes a file: the query's fields, and the offset to resume from. */
export function inputOfFile(address: URL, { headers }: IncomingMessage): Call['input'] {
  const [, from] = /^bytes=(\d{1,15})-$/.exec(headers.range ?? '') ?? [];
  const state = /^"([^"]*)"$/.exec(headers['if-range']?.toString() ?? '')?.[1];
  return {
    ...Object.fromEntries(address.searchParams),
    ...(from !== undefined && { from, ...(state !== undefined && { state }) }),
  };
}

/**
 * Answers with a file, or with the rest of one, as the service's HTTP door does. Resolves with the envelope of a refusal, null
 * where the file was sent or broke off: then a trailer says why, or, where nobody reads it any more, its connection broke off, too.
 */
export async function sendFile(
  { dispatch, owner }: Asked,
  call: Pick<Call, 'id' | 'input'>,
  response: ServerResponse,
  log: Logger,
): Promise<Answer['envelope'] | null> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { envelope, download } = await dispatch({
    ...call,
    authenticate: () => owner,
    signal: gone.signal,
  });
  if (!download) return envelope;
  const { name, extension, state, part, bytes, givenUp } = download;
  const pieces = bytes[Symbol.asyncIterator]();
  // What goes wrong before the first piece is still a refusal.
  const first = part && part.from >= part.total ? null : await pieces.next();
  let failure: unknown = null;
  async function* whole() {
    try {
      for (let piece = first; piece && !piece.done; piece = await pieces.next()) yield piece.value;
    } catch (error) {
      failure = error;
    } finally {
      await pieces.return?.();
    }
  }
  response.writeHead(part ? 206 : 200, {
    'content-type': 'application/octet-stream',
    etag: `"${state ?? ''}"`,
    [EXPORT_HEADERS.name]: encodeURIComponent(fileName(name, extension)),
    [EXPORT_HEADERS.from]: part?.from ?? 0,
    ...(part && { [EXPORT_HEADERS.total]: part.total }),
  });
  try {
    await pipeline(whole, response, { end: false, ...(givenUp && { signal: givenUp }) });
    if (failure !== null) {
      if (gone.signal.aborted || givenUp?.aborted === true) throw failure;
      const { message } = answerTo('file', failure, log).envelope;
      response.addTrailers({ [BROKE_OFF]: encodeURIComponent(message) });
    }
    response.end();
  } catch (error) {
    if (!gone.signal.aborted && givenUp?.aborted !== true) log.error('A file broke off', error);
    response.destroy();
  }
  return null;
}
