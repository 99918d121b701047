import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnyEvent } from '#shared/domain/events.ts';
import { parseJson } from '#shared/values/json.ts';
import { badRequest, Refusal } from '../base/errors.ts';
import type { Asked } from './asked.ts';
import { ASKED_JOBS, type AskedJob, type JobProgress } from './messages.ts';

/** The plan of a push has some hundred bytes for each device. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Answers with lines: progress now and then, and at the end the envelope. A closed connection cancels it. Rejects with a 400
 * or 413 Refusal where what is asked cannot be read.
 */
export async function sendJob(
  { dispatch, owner, events }: Asked,
  id: AskedJob,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await inputOf(request);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
  const write = (line: object) => void response.write(`${JSON.stringify(line)}\n`);
  /** Its own job: the first that begins from now on. */
  let own: string | null = null;
  const listener = ({ topic, payload }: AnyEvent) => {
    if (topic !== 'jobs.progress' || payload.kind !== ASKED_JOBS[id]) return;
    own ??= payload.id;
    const { done, total, unit } = payload;
    if (payload.id === own && payload.state === 'running') write({ done, total, unit } satisfies JobProgress);
  };
  const subscriber = events.subscriber(listener);
  subscriber.subscribe('jobs.progress');
  try {
    const call = { id, input, authenticate: () => owner, signal: gone.signal };
    const { envelope } = await dispatch(call);
    write(envelope);
  } finally {
    subscriber.close();
    response.end();
  }
}

async function inputOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MOST_BYTES) throw new Refusal(413, `A job takes at most ${MOST_BYTES} bytes.`);
    pieces.push(piece);
  }
  try {
    return parseJson(Buffer.concat(pieces).toString());
  } catch (cause) {
    throw badRequest(`body must be JSON: ${(cause as Error).message}`);
  }
}
