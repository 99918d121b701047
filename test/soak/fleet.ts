import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './technician.ts';

/** A device that stores over HTTP, and how many of its records were acknowledged. */
export interface Sender {
  readonly id: string;
  readonly path: string;
  readonly token: string;
  stored: number;
}

export interface FleetPlan {
  readonly senders: readonly Sender[];
  /** Of the services as they are now: a device goes to another one where its own did not take an upload. */
  readonly clients: readonly Client[];
  /** Records a second of all devices. */
  readonly rate: number;
  /** Records of an upload. */
  readonly each: number;
}

/** Latencies of uploads in µs, and the tries that failed. */
export interface Answers {
  /** Of one try that was acknowledged, from when it was on its way. */
  readonly once: RecordableHistogram;
  /** Until an upload was acknowledged, with waits for a connection and tries before it. */
  readonly whole: RecordableHistogram;
  /** Tries that were not. */
  again: number;
  /** Records acknowledged. */
  stored: number;
}

const DEVICES_AT_ONCE = 2000;
const TICK_MS = 10;
/** Uploads under way at most: where they are not answered, senders wait. */
const MOST_UNDER_WAY = 512;
/** ms before a device tries again. */
const PAUSE_MS = 250;
/** Statuses of a service that may take the same upload later, or has taken it: nobody knows. */
const LATER = new Set([429, 500, 502, 503, 504]);
/** What a service says that did not get to reading in time, on a machine with too much to do. */
const UNREAD = 'The request did not arrive in time.';

/** Makes devices that store over HTTP, in one project. */
export async function makeFleet(client: Client, count: number): Promise<Sender[]> {
  const made = async <T>(path: string, body: object): Promise<T> => {
    const answer = await client.ask('POST', path, JSON.stringify(body));
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.body}`);
    return (JSON.parse(answer.body) as { data: T }).data;
  };
  const { id: project } = await made<{ id: string }>('/_local/v1/projects', { name: 'Growth' });
  const senders: Sender[] = [];
  while (senders.length < count) {
    const devices = Array.from({ length: Math.min(DEVICES_AT_ONCE, count - senders.length) }, (_, n) => ({
      name: `Sensor ${senders.length + n}`,
    }));
    const many = await made<{ id: string; metadata: { device_token: string } }[]>(
      `/_local/v1/projects/${project}/devices`,
      { devices },
    );
    for (const { id, metadata } of many)
      senders.push({
        id,
        token: metadata.device_token,
        path: `/v2/projects/${project}/devices/${id}/data`,
        stored: 0,
      });
  }
  return senders;
}

/**
 * Lets each device send its uploads in turn, at the rate of the plan, for so many ms; every one is sent again, with the same
 * Idempotency-Key, until it is acknowledged. `heard` gets what came back, each second. Rejects where an upload is refused for good.
 */
export async function sendAll(
  { senders, clients, rate, each }: FleetPlan,
  forMs: number,
  heard: (answers: Answers) => Promise<void>,
): Promise<Answers> {
  const answers: Answers = { once: createHistogram(), whole: createHistogram(), again: 0, stored: 0 };
  const failed = new AbortController();
  const underWay = new Map<Sender, Promise<void>>();
  let sent = 0;

  async function send(sender: Sender, n: number): Promise<void> {
    const records = Array.from({ length: each }, (_, at) => ({
      n: sender.stored + at,
      temperature: 20 + (n % 100) / 10,
    }));
    const body = JSON.stringify(records);
    const beganMs = performance.now();
    for (let tries = 0; !failed.signal.aborted; tries++) {
      const client = clients[(n + tries) % clients.length]!;
      const options = { token: sender.token, idempotencyKey: `from-${sender.stored}` };
      // A service that is killed says nothing.
      const answer = await client.ask('POST', '/integrations/http', body, options).catch(() => null);
      if (answer?.status === 200) {
        answers.once.record(microseconds(answer.ms));
        answers.whole.record(microseconds(performance.now() - beganMs));
        answers.stored += each;
        sender.stored += each;
        return;
      }
      if (answer !== null && !LATER.has(answer.status) && !answer.body.includes(UNREAD))
        throw new Error(`An upload was refused: ${answer.status} ${answer.body}`);
      answers.again++;
      await delay(PAUSE_MS);
    }
  }

  const beganMs = performance.now();
  let heardMs = beganMs;
  for (let now = beganMs; now < beganMs + forMs && !failed.signal.aborted; now = performance.now()) {
    const due = Math.floor(((now - beganMs) * rate) / 1000 / each);
    for (; sent < due && underWay.size < MOST_UNDER_WAY; sent++) {
      const n = sent;
      const sender = senders[n % senders.length]!;
      const before = underWay.get(sender) ?? Promise.resolve();
      const one: Promise<void> = before
        .then(() => send(sender, n))
        .catch((error: unknown) => failed.abort(error))
        .finally(() => underWay.get(sender) === one && underWay.delete(sender));
      underWay.set(sender, one);
    }
    if (now - heardMs >= 1000) {
      heardMs = now;
      await heard(answers);
    }
    await delay(TICK_MS);
  }
  await Promise.all(underWay.values());
  failed.signal.throwIfAborted();
  await heard(answers);
  return answers;
}

const microseconds = (ms: number) => Math.max(1, Math.round(ms * 1000));
