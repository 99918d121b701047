import { setTimeout as delay } from 'node:timers/promises';
import { SENSOR_KEYS, sensorSource } from '../lib/data.ts';
import { answerMessages } from '../lib/child.ts';

/** A logger that uploads batches of records over HTTP, each record with the time it was taken. */
export interface Production {
  readonly url: string;
  readonly token: string;
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

answerMessages(async ({ url, token, batch, seconds, connections, rate }: Production) => {
  const nextBody = bodies(batch);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const began = performance.now();
  let sent = 0;
  let acknowledged = 0;

  async function upload(): Promise<void> {
    while (performance.now() - began < seconds * 1000) {
      const due = rate === undefined ? 0 : began + (sent * batch * 1000) / rate;
      sent++;
      const body = nextBody();
      await delay(Math.max(0, due - performance.now()));
      const response = await fetch(`${url}/integrations/http`, { method: 'POST', headers, body });
      const answer = await response.text();
      if (!response.ok) throw new Error(`Storing failed: ${answer}`);
      acknowledged += batch;
    }
  }

  await Promise.all(Array.from({ length: connections }, upload));
  return { perSecond: (acknowledged * 1000) / (performance.now() - began) } satisfies Produced;
});

/** JSON arrays of records a millisecond apart, each going on where the last one ended. Only the times are written anew. */
function bodies(batch: number): () => string {
  const values = sensorSource()(batch).map(({ values: row }) =>
    SENSOR_KEYS.map((key, i) => `"${key}":${String(row[i])}`).join(','),
  );
  let time = Date.now();
  return () => `[${values.map((text) => `{"timestamp":${time++},${text}}`).join(',')}]`;
}
