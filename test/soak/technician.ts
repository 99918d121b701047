import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';

/** A device as it should be. */
export interface Known {
  readonly id: string;
  readonly token: string;
  /** Times of its records in ms, which it says itself, ascending; `next` is the one to come. */
  times: number[];
  next: number;
}

export interface Answer {
  readonly status: number;
  readonly total: number | null;
  readonly body: string;
  /** ms from when the request was on its way until its answer began: without the wait for a connection. */
  readonly ms: number;
}

/** What asks a service: with a key, or as a device with its token. */
export interface Client {
  ask(method: string, path: string, body?: string, options?: AskOptions): Promise<Answer>;
  close(): void;
}

interface AskOptions {
  readonly token?: string;
  readonly type?: string;
  readonly idempotencyKey?: string;
}

/** ms after which a free connection is closed here: before the service does. */
const FREE_SOCKET_MS = 30_000;

export function createClient({ url, key }: { readonly url: string; readonly key: string }): Client {
  // A connection that the service closes as idle, after a minute, must not be taken for a request at that moment.
  const agent = new Agent({ keepAlive: true, timeout: FREE_SOCKET_MS });
  const { hostname, port } = new URL(url);
  return {
    async ask(method, path, body, { token = key, type = 'application/json', idempotencyKey } = {}) {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': type }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      };
      const asked = request({ hostname, port, agent, method, path, headers });
      let sentMs = performance.now();
      asked.once('finish', () => (sentMs = performance.now()));
      asked.end(body);
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      const ms = performance.now() - sentMs;
      const total = answer.headers['x-total-count'];
      return {
        status: answer.statusCode ?? 0,
        total: total === undefined ? null : Number(total),
        body: await text(answer),
        ms,
      };
    },
    close: () => agent.destroy(),
  };
}

/** Whole numbers from 0, the same for the same seed (mulberry32, public domain). */
export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A person with some devices: sends, looks, tidies up, one thing after the other, and knows what must be there. */
export class Technician {
  readonly devices: Known[] = [];
  /** Records that were acknowledged. */
  stored = 0;
  acts = 0;
  readonly #project: string;
  readonly #client: Client;
  readonly #random: Random;

  constructor(project: string, client: Client, random: Random) {
    this.#project = project;
    this.#client = client;
    this.#random = random;
  }

  async create(): Promise<void> {
    const source = JSON.stringify({ name: `Soaked ${this.#random(1e6)}`, source: 'http', tags: ['soak'] });
    const made = await this.#ask('POST', '', 201, source);
    const { data } = JSON.parse(made.body) as { data: { id: string; metadata: { device_token: string } } };
    const next = Date.UTC(2026, 0, 1) + this.#random(1e6);
    this.devices.push({ id: data.id, token: data.metadata.device_token, times: [], next });
  }

  /** Gives each device about what it will hold in the long run: what grows from there on is no longer a beginning. */
  async settle(): Promise<void> {
    for (const device of this.devices) await this.#send(device, 1 + this.#random(2 * USUAL_RECORDS), false);
  }

  /** Does one thing at random, mostly storing. Rejects where an answer is not what it must be. */
  async act(): Promise<void> {
    this.acts++;
    const at = this.#random(this.devices.length);
    const device = this.devices[at];
    if (device === undefined) return this.create();
    const choice = this.#random(1000);
    if (device.times.length > MOST_RECORDS) return this.#forget(device);
    if (choice < 700) return this.#store(device);
    if (choice < 800) return this.#page(device);
    if (choice < 850) return this.#look(device);
    if (choice < 880) return this.#series(device);
    if (choice < 900) return this.#rename(device);
    if (choice < 915) return this.#import(device);
    if (choice < 930) return this.#export(device);
    if (choice < 960) return this.#forget(device);
    if (choice < 970) return this.#purge(device);
    if (choice < 980) return this.#refused(device);
    if (choice < 990) return this.#list();
    await this.#ask('DELETE', `/${device.id}`, 200);
    this.devices.splice(at, 1);
    return this.create();
  }

  /** Whether a service has of each device what this one stored, and nothing else; over a client of its own. */
  async check(client: Client): Promise<void> {
    for (const { id, times } of this.devices) {
      const path = `/v2/projects/${this.#project}/devices/${id}/data?page=1&limit=1&range=all`;
      const { status, total, body } = await client.ask('GET', path);
      if (status !== 200 || total !== times.length)
        throw new Error(
          `Device ${id} holds ${total} records, ${times.length} were stored (${status} ${body})`,
        );
      const last = times.at(-1);
      if (last !== undefined && !body.includes(new Date(last).toISOString().slice(0, -1)))
        throw new Error(`The newest record of ${id} is not of ${new Date(last).toISOString()}: ${body}`);
    }
  }

  async #store(device: Known): Promise<void> {
    const count = 1 + this.#random(this.#random(10) === 0 ? 400 : 12);
    return this.#send(device, count, this.#random(4) === 0);
  }

  async #send(device: Known, count: number, isLines: boolean): Promise<void> {
    const records = this.#records(device, count);
    const lines = records.map((record) => JSON.stringify(record));
    const body = isLines ? lines.join('\n') : `[${lines.join(',')}]`;
    const type = isLines ? 'application/x-ndjson' : 'application/json';
    const answer = await this.#client.ask('POST', '/integrations/http', body, { token: device.token, type });
    expectStatus(answer, 200, 'storing');
    this.#keep(device, records);
  }

  async #import(device: Known): Promise<void> {
    const records = this.#records(device, 200 + this.#random(800));
    const rows = records.map(({ timestamp, t, on }) => `${new Date(timestamp).toISOString()},${t},${on}`);
    const body = `time,t,on\n${rows.join('\n')}\n`;
    await this.#local('POST', `${device.id}/records?time_column=time`, body, 'text/csv');
    this.#keep(device, records);
  }

  /** Later than what is there, but for some that come late. */
  #records(device: Known, count: number) {
    const late = this.#random(20) === 0 ? 3_600_000 : 0;
    return Array.from({ length: count }, () => {
      device.next += 1 + this.#random(2000);
      return { timestamp: device.next - late, t: this.#random(500) / 10, on: this.#random(2) === 0 };
    });
  }

  #keep(device: Known, records: readonly { readonly timestamp: number }[]): void {
    this.stored += records.length;
    device.times.push(...records.map(({ timestamp }) => timestamp));
    device.times.sort((a, b) => a - b);
  }

  async #page(device: Known): Promise<void> {
    const page = 1 + this.#random(1 + Math.ceil(device.times.length / 100));
    const { total } = await this.#ask('GET', `/${device.id}/data?page=${page}&limit=100&range=all`, 200);
    if (total !== device.times.length)
      throw new Error(`A page of ${device.id} says ${total} records, ${device.times.length} were stored.`);
  }

  async #look(device: Known): Promise<void> {
    await this.#ask('GET', `/${device.id}`, 200);
    await this.#ask('GET', `/${device.id}/data/keys`, 200);
    await this.#local('GET', `${device.id}/impact`);
  }

  async #series(device: Known): Promise<void> {
    const [first = 0, last = first + 1] = [device.times[0], device.times.at(-1)];
    const span = `start=${new Date(first).toISOString()}&end=${new Date(last).toISOString()}`;
    await this.#local('GET', `${device.id}/series?${span}&keys=t&width=800`);
  }

  async #rename(device: Known): Promise<void> {
    const fields = { description: `Seen ${this.acts}`, metadata: { at: this.acts } };
    await this.#local('PATCH', device.id, JSON.stringify(fields));
  }

  async #export(device: Known): Promise<void> {
    const { body } = await this.#local('GET', `${device.id}/records?format=ndjson`);
    const lines = body === '' ? 0 : body.trimEnd().split('\n').length;
    if (lines !== device.times.length)
      throw new Error(`An export of ${device.id} has ${lines} lines, ${device.times.length} were stored.`);
  }

  /** Removes the older half. */
  async #forget(device: Known): Promise<void> {
    const middle = device.times[device.times.length >> 1];
    if (middle === undefined) return;
    const span = `start=1970-01-01T00:00:00Z&end=${new Date(middle).toISOString()}`;
    await this.#local('DELETE', `${device.id}/records?${span}`);
    device.times = device.times.filter((time) => time > middle);
  }

  async #purge(device: Known): Promise<void> {
    await this.#ask('DELETE', `/${device.id}/data`, 200);
    device.times = [];
  }

  /** What is refused leaves nothing. */
  async #refused(device: Known): Promise<void> {
    const body = '[{"timestamp":0,"t":1},{"timestamp":0,"t":[[[[1]]]]}]';
    const answer = await this.#client.ask('POST', '/integrations/http', body, { token: device.token });
    expectStatus(answer, 400, 'a record nested too deep');
    const unknown = await this.#client.ask('POST', '/integrations/http', body, { token: 'nobody' });
    expectStatus(unknown, 401, 'an unknown token');
  }

  async #list(): Promise<void> {
    await this.#ask('GET', '', 200);
  }

  async #ask(method: string, path: string, status: number, body?: string): Promise<Answer> {
    const answer = await this.#client.ask(method, `/v2/projects/${this.#project}/devices${path}`, body);
    expectStatus(answer, status, `${method} ${path}`);
    return answer;
  }

  async #local(method: string, path: string, body?: string, type?: string): Promise<Answer> {
    const address = `/_local/v1/projects/${this.#project}/devices/${path}`;
    const answer = await this.#client.ask(method, address, body, type === undefined ? {} : { type });
    expectStatus(answer, 200, `${method} ${path}`);
    return answer;
  }
}

/**
 * Where a device gets and loses as much: an act brings 26 records on average (storing 18, importing 9) and takes 3.5 % of
 * what there is (forgetting half, purging, deleting).
 */
const USUAL_RECORDS = 750;

/** Beyond that, old records go: what a device holds stays about the same. */
const MOST_RECORDS = 4000;

function expectStatus({ status, body }: Answer, expected: number, what: string): void {
  if (status !== expected)
    throw new Error(`${what}: expected ${expected}, got ${status} ${body.slice(0, 500)}`);
}
