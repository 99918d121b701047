import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnyEvent } from '#shared/domain/events.ts';
import type { Asked } from './asked.ts';
import { readJson } from './read-json.ts';
import { ASKED_JOBS, type AskedJob, type JobProgress } from './messages.ts';

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
  const input = await readJson(request);
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
