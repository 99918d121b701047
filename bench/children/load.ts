import autocannon, { type Client } from 'autocannon';
import { answerMessages } from '../lib/child.ts';

/** Requests over kept-alive connections. */
export interface Load {
  /** Each connection asks for them in turn, from a place of its own on. */
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second of all connections; absent: each asks again as soon as it is answered. */
  readonly rate?: number;
}

export interface Loaded {
  /** Answers a second. */
  readonly rate: number;
  /** Answers with another status than 200, and requests without one. */
  readonly failed: number;
}

answerMessages(async ({ urls, headers, method = 'GET', body, connections, seconds, rate }: Load) => {
  const [first = ''] = urls;
  const requests = urls.map((url) => {
    const { pathname, search } = new URL(url);
    return { method, path: pathname + search, headers, ...(body !== undefined && { body }) };
  });
  // Else all would ask for the same one at about the same time.
  let opened = 0;
  const beginApart = (client: Client) => {
    const at = Math.floor((opened++ * requests.length) / connections);
    client.setRequests([...requests.slice(at), ...requests.slice(0, at)]);
  };
  // A client that sleeps between answers is woken by each of them, at the expense of the core that answers.
  let asking = rate === undefined;
  const stayAwake = () => void (asking && setImmediate(stayAwake));
  stayAwake();
  const result = await autocannon({
    url: new URL(first).origin,
    connections,
    duration: seconds,
    requests,
    setupClient: beginApart,
    ...(rate !== undefined && { overallRate: rate }),
  });
  asking = false;
  return { rate: result.requests.average, failed: result.non2xx + result.errors } satisfies Loaded;
});
