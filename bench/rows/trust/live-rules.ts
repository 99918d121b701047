import { Agent } from 'node:http';
import type { Started } from '../../children/service.ts';
import { Asking, steadily, type Sending } from '../../lib/asking.ts';
import { percentile, sampleOf } from '../../lib/measure.ts';
import { startChild, type Child } from '../../lib/process.ts';
import { atMost, short, type Bench, type Figure, type Row } from '../../lib/row.ts';
import type { Usage } from '../../lib/usage.ts';

/** Devices of a project, whose rules are as many; a project has 200 rules at most. */
const IN_A_PROJECT = 200;
const TAG = 'watched';
const ROUNDS = 3;
const SECONDS = 20;
const SECONDS_OF_SMALL = 10;

/** A reading climbs from 20 to 26 in a minute; that of each hundredth device goes on above the limit, for long enough. */
const RULE = { when: { key: 'temperature', above: 25.95, hysteresis: 0.2 }, for_s: 5 };
const reading = (n: number, second: number) =>
  `{"temperature":${20 + ((n + second) % 60) / 10 + (n % 100 === 0 ? 1 : 0)}}`;

/** Makes devices in a service, and what judges them where it is asked for. */
type Make = (service: Asking, hasRules: boolean) => Promise<readonly Sending[]>;

interface Setting {
  readonly name: string;
  /** Seconds between two records of a device. */
  readonly every: number;
  readonly make: Make;
}

/** What rules that are judged live cost those who store, beside a service that has none. */
export const liveRules: Row = {
  name: 'live-rules',
  title: 'Rules that are judged as records come',
  async run(bench): Promise<Figure[]> {
    const settings: readonly Setting[] = [
      { name: '1,000 devices, a record a second each, a rule on each', every: 1, make: withRules(1000) },
      {
        name: `${short(bench.devices)} devices, a record every ten seconds each, a rule for their tag`,
        every: 10,
        make: withTag(bench.devices),
      },
    ];
    const figures: Figure[] = [];
    for (const setting of settings) figures.push(...(await measure(bench, setting)));
    return figures;
  },
};

const withRules =
  (count: number): Make =>
  async (service, hasRules) => {
    const devices: Sending[] = [];
    while (devices.length < count) {
      const made = await service.fleet(IN_A_PROJECT);
      devices.push(...made.devices);
      if (hasRules) for (const { id } of made.devices) await addRule(service, made.project, id, RULE);
    }
    return devices;
  };

const withTag =
  (count: number): Make =>
  async (service, hasRules) => {
    const { project, devices } = await service.fleet(count, [TAG]);
    if (hasRules) await addRule(service, project, null, { ...RULE, devices: { tag: TAG } });
    return devices;
  };

const addRule = (service: Asking, project: string, device_id: string | null, condition: object) =>
  service.ask('POST', `projects/${project}/functions`, { device_id, name: 'Warm', type: 'rule', condition });

/** A service whose devices store, and what was measured of it. */
interface Storing {
  readonly child: Child;
  readonly service: Asking;
  readonly devices: readonly Sending[];
  /** ms, and µs a record. */
  readonly p99: number[];
  readonly processor: number[];
}

async function measure(bench: Bench, { name, every, make }: Setting): Promise<Figure[]> {
  const seconds = bench.isSmall ? SECONDS_OF_SMALL : SECONDS;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const children: Child[] = [];
  const begin = async (hasRules: boolean): Promise<Storing> => {
    const child = startChild('service');
    children.push(child);
    const started = await child.ask<Started>({ start: { directory: await bench.madeFolder() } });
    const service = new Asking(started, agent);
    return { child, service, devices: await make(service, hasRules), p99: [], processor: [] };
  };
  try {
    const [plain, judged] = [await begin(false), await begin(true)];
    for (let round = -1; round < ROUNDS; round++)
      for (const each of [plain, judged]) {
        const { child, devices, service } = each;
        await child.ask<Usage>({ usage: true });
        const took = await steadily(seconds, devices.length / every, (sent) => {
          const n = sent % devices.length;
          const second = Math.floor(sent / devices.length) * every + (round + 1) * seconds;
          return service.send(devices[n]?.token, reading(n, second));
        });
        const { cpuSeconds } = await child.ask<Usage>({ usage: true });
        if (round < 0) continue;
        each.p99.push(percentile(took, 0.99));
        each.processor.push((cpuSeconds * 1e6) / took.length);
      }
    const { total } = await judged.service.ask<{ readonly total: number }>('GET', 'alarms?limit=1');
    if (total === 0) throw new Error('No rule raised an alarm, although limits were crossed.');
    bench.note(`${name}: ${total} alarms were raised.`);
    const p99 = sampleOf(judged.p99);
    return [
      {
        figure: `${name}: p99 until it is stored`,
        measured: p99,
        unit: 'ms',
        must: atMost(p99.median, 20, '≤ 20 ms'),
        peer: { name: 'the same without rules', measured: sampleOf(plain.p99) },
      },
      {
        figure: 'processor time of the service for a record of them',
        measured: sampleOf(judged.processor),
        unit: 'µs',
        peer: { name: 'the same without rules', measured: sampleOf(plain.processor) },
      },
    ];
  } finally {
    agent.destroy();
    for (const child of children) await child.stop();
  }
}
