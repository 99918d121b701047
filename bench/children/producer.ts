import { setTimeout as delay } from 'node:timers/promises';
import { answerMessages } from '../lib/child.ts';
import { CONTENT_TYPES, uploadBodies, type UploadForm } from '../lib/upload-bodies.ts';

/** A logger that uploads batches of records over HTTP, each record with the time it was taken. */
export interface Production {
  readonly url: string;
  readonly token: string;
  readonly form: UploadForm;
  /** The time of the first record, in ms since 1970; what came before should be older, or it measures putting rows in order. */
  readonly from: number;
  /** Records an upload. */
  readonly batch: number;
  readonly seconds: number;
  /** Uploads under way at most. */
  readonly connections: number;
  /** Records a second; absent: the next upload begins as soon as one is acknowledged. */
  readonly rate?: number;
}

export interface Produced {
  /** Records acknowledged a second. */
  readonly perSecond: number;
}

answerMessages(async ({ url, token, form, from, batch, seconds, connections, rate }: Production) => {
  const nextBody = uploadBodies(form, batch, from);
  const headers = { authorization: `Bearer ${token}`, 'content-type': CONTENT_TYPES[form] };
  const began = performance.now();
  let sent = 0;
  let acknowledged = 0;

  async function upload(): Promise<void> {
    while (performance.now() - began < seconds * 1000) {
      const due = rate === undefined ? 0 : began + (sent * batch * 1000) / rate;
      sent++;
      const body = nextBody();
      // A timer takes a millisecond at least.
      if (due > performance.now()) await delay(due - performance.now());
      const response = await fetch(`${url}/integrations/http`, { method: 'POST', headers, body });
      const answer = await response.text();
      if (!response.ok) throw new Error(`Storing failed: ${answer}`);
      acknowledged += batch;
    }
  }

  await Promise.all(Array.from({ length: connections }, upload));
  return { perSecond: (acknowledged * 1000) / (performance.now() - began) } satisfies Produced;
});
