import { Agent } from 'node:http';
import type { Started } from '../../children/service.ts';
import { Asking, steadily } from '../../lib/asking.ts';
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
  const plain = await steadily(seconds, SENDING, (n) =>
    service.send(devices[n % SENDING]?.token, `{"battery":92,"temperature":${(n % SENDING) / 10}}`),
  );
  for (const { id } of devices) await decode(service, project, id, script(1));
  // One has started by then.
  await service.send(devices[0]?.token, `{"data":"${payload(0)}"}`);
  const decoded = await steadily(seconds, SENDING, (n) =>
    service.send(devices[n % SENDING]?.token, `{"data":"${payload(n % SENDING)}"}`),
  );
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
  const id = await decode(service, project, device.id, script(1));
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

async function decode(service: Asking, project: string, device_id: string, text: string): Promise<string> {
  const condition = { payload: 'json', at: 'data', encoding: 'hex' };
  const decoder = { device_id, name: 'Decoder', type: 'decoder', script: text, condition };
  return (await service.ask<{ id: string }>('POST', `projects/${project}/functions`, decoder)).id;
}
