import { request, type Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Started } from '../children/service.ts';

/* What rows share about devices that store all the time: who sends, and when. */

/** Calls `send` so often a second, spread over it. Resolves with the ms of each from when it was due, ascending. */
export async function steadily(
  seconds: number,
  aSecond: number,
  send: (n: number) => Promise<void>,
): Promise<number[]> {
  const began = performance.now();
  const waiting: Promise<number>[] = [];
  for (let sent = 0; sent < seconds * aSecond; sent++) {
    const due = began + (sent * 1000) / aSecond;
    const ahead = due - performance.now();
    if (ahead > 1) await delay(ahead);
    waiting.push(send(sent).then(() => performance.now() - due));
  }
  return (await Promise.all(waiting)).toSorted((a, b) => a - b);
}

/** A device that stores over HTTP. */
export interface Sending {
  readonly id: string;
  readonly token: string;
}

/** Asks a service over connections that stay. */
export class Asking {
  readonly #service: Started;
  readonly #agent: Agent;

  constructor(service: Started, agent: Agent) {
    this.#service = service;
    this.#agent = agent;
  }

  ask<T>(method: string, path: string, body?: object): Promise<T> {
    const text = body === undefined ? '' : JSON.stringify(body);
    return this.#request<T>(method, `/_local/v1/${path}`, this.#service.key, text);
  }

  async send(token: string | undefined, body: string): Promise<void> {
    await this.#request('POST', '/integrations/http', token ?? '', body);
  }

  /** A project of so many devices, each with these tags. */
  async fleet(
    count: number,
    tags: readonly string[] = [],
  ): Promise<{ readonly project: string; readonly devices: readonly Sending[] }> {
    const { id: project } = await this.ask<{ id: string }>('POST', 'projects', { name: `Fleet of ${count}` });
    const devices: Sending[] = [];
    for (let n = 0; n < count; n++) {
      const path = `/v2/projects/${project}/devices`;
      const made = await this.#request<{ id: string; metadata: { device_token: string } }>(
        'POST',
        path,
        this.#service.key,
        JSON.stringify({ name: `Sensor ${n}`, source: 'http', tags }),
      );
      devices.push({ id: made.id, token: made.metadata.device_token });
    }
    return { project, devices };
  }

  #request<T>(method: string, path: string, key: string, body: string): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const asked = request(
      new URL(path, this.#service.url),
      { method, headers, agent: this.#agent },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          if (answer.statusCode === undefined || answer.statusCode >= 300)
            reject(new Error(`${method} ${path}: ${text}`));
          else resolve((JSON.parse(text) as { readonly data: T }).data);
        });
      },
    );
    asked.on('error', reject);
    asked.end(body);
    return promise;
  }
}
