import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Started } from '../../children/service.ts';
import { percentile, sampleOf, timed } from '../../lib/measure.ts';
import { startChild } from '../../lib/process.ts';
import { digits } from '../../lib/report.ts';
import { atMost, short, type Bench, type Figure, type Row } from '../../lib/row.ts';

/** Devices that send a payload a second each. */
const SENDING = 1000;
const SECONDS = 30;
const SECONDS_OF_SMALL = 5;
/** Payloads that are decoded again, and those of one request. */
const STORED = 1_000_000;
const STORED_OF_SMALL = 20_000;
const AT_ONCE = 10_000;

/** As most decoders are: a list of channels, each with a type that says how many bytes it has. */
const script = (factor: number) => `function decodeUplink(input) {
  var data = {};
  for (var i = 0; i < input.bytes.length; ) {
    var channel = input.bytes[i++], type = input.bytes[i++];
    if (channel === 0x01 && type === 0x75) data.battery = input.bytes[i++];
    else if (channel === 0x03 && type === 0x67) { data.temperature = (input.bytes[i] | (input.bytes[i + 1] << 8)) * ${factor} / 10; i += 2; }
    else if (channel === 0x04 && type === 0x68) data.humidity = input.bytes[i++] / 2;
    else break;
  }
  return { data: data };
}`;

const payload = (n: number) => `01755c0367${(n & 0xff).toString(16).padStart(2, '0')}01046871`;

export const decoders: Row = {
  name: 'decoders',
  title: 'Payloads that scripts decode, as they come and once more',
  async run(bench): Promise<Figure[]> {
    const child = startChild('service');
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    try {
      const directory = await bench.madeFolder();
      const service = new Asking(await child.ask<Started>({ start: { directory } }), agent);
      return [...(await asTheyCome(bench, service)), await onceMore(bench, service)];
    } finally {
      agent.destroy();
      await child.stop();
    }
  },
};

/** How long a payload waits for its answer, with a decoder on each device and without any. */
async function asTheyCome(bench: Bench, service: Asking): Promise<Figure[]> {
  const seconds = bench.isSmall ? SECONDS_OF_SMALL : SECONDS;
  const { project, devices } = await service.fleet(SENDING);
  const plain = await steadily(seconds, (n) =>
    service.send(devices[n]?.token, `{"battery":92,"temperature":${n / 10}}`),
  );
  for (const { id } of devices) await service.decode(project, id, script(1));
  // One has started by then.
  await service.send(devices[0]?.token, `{"data":"${payload(0)}"}`);
  const decoded = await steadily(seconds, (n) => service.send(devices[n]?.token, `{"data":"${payload(n)}"}`));
  const name = `${short(SENDING)} devices, a payload a second each, a decoder on each`;
  bench.note(
    `${name}: half of them were answered within ${digits(percentile(decoded, 0.5))} ms, of records without a decoder within ${digits(percentile(plain, 0.5))} ms.`,
  );
  const p99 = percentile(decoded, 0.99);
  return [
    {
      figure: `${name}: p99 until it is stored`,
      measured: sampleOf([p99]),
      unit: 'ms',
      must: atMost(p99, 20, '≤ 20 ms'),
      peer: { name: 'the same as records, without decoders', measured: sampleOf([percentile(plain, 0.99)]) },
    },
  ];
}

/** What a mended decoder takes for all that is stored. */
async function onceMore(bench: Bench, service: Asking): Promise<Figure> {
  const count = bench.isSmall ? STORED_OF_SMALL : STORED;
  const { project, devices } = await service.fleet(1);
  const [device] = devices;
  if (device === undefined) throw new Error('There is no device.');
  const id = await service.decode(project, device.id, script(1));
  const first = await timed(async () => {
    for (let n = 0; n < count; n += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, i) => ({
        timestamp: (n + i) * 1000,
        data: payload(n + i),
      }));
      await service.send(device.token, JSON.stringify(some));
    }
  });
  await service.ask('PATCH', `projects/${project}/functions/${id}`, { script: script(2) });
  const took = await timed(() => service.ask('POST', `projects/${project}/functions/${id}/decode`, {}));
  bench.note(
    `${short(count)} payloads were decoded and stored first in ${digits(first / 1000)} s, ${short(AT_ONCE)} a request.`,
  );
  return {
    figure: `${short(count)} payloads decoded again`,
    measured: sampleOf([took / 1000]),
    unit: 's',
    must: atMost(took / 1000, 60, '≤ 60 s'),
  };
}

/** Calls `send` for each device once a second, spread over it. Resolves with the ms of each from when it was due, ascending. */
async function steadily(seconds: number, send: (n: number) => Promise<void>): Promise<number[]> {
  const began = performance.now();
  const waiting: Promise<number>[] = [];
  for (let sent = 0; sent < seconds * SENDING; sent++) {
    const due = began + (sent * 1000) / SENDING;
    const ahead = due - performance.now();
    if (ahead > 1) await delay(ahead);
    waiting.push(send(sent % SENDING).then(() => performance.now() - due));
  }
  return (await Promise.all(waiting)).toSorted((a, b) => a - b);
}

interface Sending {
  readonly id: string;
  readonly token: string;
}

/** Asks a service over connections that stay. */
class Asking {
  readonly #service: Started;
  readonly #agent: Agent;

  constructor(service: Started, agent: Agent) {
    this.#service = service;
    this.#agent = agent;
  }

  ask<T>(method: string, path: string, body: object): Promise<T> {
    return this.#request<T>(method, `/_local/v1/${path}`, this.#service.key, JSON.stringify(body));
  }

  async send(token: string | undefined, body: string): Promise<void> {
    await this.#request('POST', '/integrations/http', token ?? '', body);
  }

  async fleet(count: number): Promise<{ readonly project: string; readonly devices: readonly Sending[] }> {
    const { id: project } = await this.ask<{ id: string }>('POST', 'projects', { name: `Fleet of ${count}` });
    const devices: Sending[] = [];
    for (let n = 0; n < count; n++) {
      const path = `/v2/projects/${project}/devices`;
      const made = await this.#request<{ id: string; metadata: { device_token: string } }>(
        'POST',
        path,
        this.#service.key,
        JSON.stringify({ name: `Sensor ${n}`, source: 'http' }),
      );
      devices.push({ id: made.id, token: made.metadata.device_token });
    }
    return { project, devices };
  }

  async decode(project: string, device_id: string, text: string): Promise<string> {
    const condition = { payload: 'json', at: 'data', encoding: 'hex' };
    const decoder = { device_id, name: 'Decoder', type: 'decoder', script: text, condition };
    return (await this.ask<{ id: string }>('POST', `projects/${project}/functions`, decoder)).id;
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
