import type {
  IdleMessage,
  MqttDevice,
  Rated,
  RateMessage,
  Windowed,
  WindowMessage,
} from '../children/mqtt-load.ts';
import { fleetOf, startBrokers, type Broker, type Brokers } from '../lib/brokers.ts';
import { inTurn, sampleOf, type Sample } from '../lib/measure.ts';
import { askOnce, startChild } from '../lib/process.ts';
import { digits } from '../lib/report.ts';
import {
  atLeast,
  atMost,
  short,
  timesLess,
  timesMore,
  type Bench,
  type Figure,
  type Row,
} from '../lib/row.ts';

const ROUNDS = 3;
const SECONDS = 2;
/** Messages under way of each: those that a logger catches up with, and one at a time, as most devices send. */
const WINDOWS = [
  { connections: 1, window: 20 },
  { connections: 16, window: 20 },
  { connections: 256, window: 20 },
  { connections: 256, window: 1 },
] as const;
const AT_LEAST = 0.85;
/** Connections of the rows of memory and of the event loop. */
const MANY = 1000;
const RATE = 20_000;
const MANY_ROUNDS = 3;
const RATE_SECONDS = 4;

export const mqtt: Row = {
  name: 'mqtt',
  title: 'Over MQTT: messages acknowledged, idle connections, many devices at once',
  async run(bench): Promise<Figure[]> {
    const directory = await bench.folder();
    const fleet = await fleetOf(directory, bench.isSmall ? 256 : MANY);
    const open = async () => startBrokers(directory, await bench.madeFolder());
    const figures: Figure[] = [];
    const brokers = await open();
    if (brokers.mosquitto === null)
      bench.note('mosquitto is not installed (apt-get install mosquitto): measured without it.');
    else
      bench.note(
        `mosquitto ${brokers.mosquitto.version} writes its file anew and syncs it after each turn in which what it keeps changed, without a PUBACK waiting for that; of messages that nobody is subscribed to it keeps only the last one of each topic, where it is to be retained.`,
      );
    try {
      for (const { connections, window } of WINDOWS)
        figures.push(...(await acknowledged(brokers, fleet.slice(0, connections), window, bench.isSmall)));
    } finally {
      await brokers.stop();
    }
    for (const load of LOADS) {
      const fresh = await open();
      try {
        figures.push(await atARate(fresh, fleet, load, bench));
      } finally {
        await fresh.stop();
      }
    }
    return [...figures, ...(await idle(open, fleet, bench.isSmall))];
  },
};

/** QoS 1, as fast as it is acknowledged: ours when it is on disk. */
async function acknowledged(
  { ours, aedes, mosquitto }: Brokers,
  devices: readonly MqttDevice[],
  window: number,
  isSmall: boolean,
): Promise<Figure[]> {
  const measure =
    ({ port }: Broker, version: 4 | 5, retain = false) =>
    async () => {
      const asked = { task: 'window', port, version, devices, window, retain } as const;
      const message: WindowMessage = { ...asked, seconds: isSmall ? 1 : SECONDS };
      return (await askOnce<Windowed>('mqtt-load', message)).perSecond;
    };
  const [ours4, ours5, aedes4, plain4, plain5, retained] = await inTurn(isSmall ? 1 : ROUNDS, [
    measure(ours, 4),
    measure(ours, 5),
    measure(aedes, 4),
    ...(mosquitto === null
      ? []
      : [measure(mosquitto, 4), measure(mosquitto, 5), measure(mosquitto, 4, true)]),
  ]);
  const line = (
    version: string,
    measured: Sample | undefined,
    peer: string,
    peers: Sample | undefined,
    isDemanded = false,
  ): Figure[] => {
    if (measured === undefined || peers === undefined) return [];
    const ratio = timesMore(measured, peers);
    const count = devices.length === 1 ? '1 connection' : `${devices.length} connections`;
    return [
      {
        figure: `MQTT ${version}, QoS 1 stored durably, ${count}, ${window} under way each`,
        measured,
        unit: 'messages/s',
        ...(isDemanded && { must: atLeast(ratio, AT_LEAST, `≥ ${AT_LEAST}×`) }),
        peer: { name: peer, measured: peers },
        ratio,
      },
    ];
  };
  return [
    ...line('3.1.1', ours4, 'aedes, storing nothing', aedes4, true),
    ...line('3.1.1', ours4, 'mosquitto, with nothing to keep', plain4),
    ...line('3.1.1', ours4, 'mosquitto, keeping the last of each topic', retained),
    ...line('5', ours5, 'aedes by 3.1.1, storing nothing', aedes4, true),
    ...line('5', ours5, 'mosquitto, with nothing to keep', plain5),
  ];
}

interface Measured extends Rated {
  readonly delayP99: number;
  /** % of a core. */
  readonly cpu: number;
}

const LOADS = [
  { name: 'QoS 0', qos: 0, echoes: 0 },
  { name: 'QoS 1', qos: 1, echoes: 0 },
  { name: 'QoS 1, one of them subscribed to its topic', qos: 1, echoes: 1 },
  { name: 'QoS 1, each subscribed to its topic', qos: 1, echoes: Infinity },
] as const;

/** What many devices at once do to whoever else needs the event loop. */
async function atARate(
  { ours, aedes }: Brokers,
  devices: readonly MqttDevice[],
  { name, qos, echoes }: (typeof LOADS)[number],
  bench: Bench,
): Promise<Figure> {
  const { isSmall } = bench;
  const seconds = isSmall ? 1 : RATE_SECONDS;
  const measure = async ({ port, usage }: Broker) => {
    const message: RateMessage = {
      task: 'rate',
      port,
      version: 4,
      devices,
      qos,
      rate: RATE,
      seconds,
      echoes,
    };
    await usage();
    const rated = await askOnce<Rated>('mqtt-load', message);
    const { delayP99, cpuSeconds } = await usage();
    return { ...rated, delayP99, cpu: (cpuSeconds / seconds) * 100 };
  };
  const of = (measured: readonly Measured[], part: keyof Measured) =>
    sampleOf(measured.map((one) => one[part]));
  const said = (measured: readonly Measured[]) => {
    const [perSecond = '', cpu = '', median = '', p99 = ''] = (
      ['perSecond', 'cpu', 'median', 'p99'] as const
    ).map((part) => digits(of(measured, part).median));
    const within = qos === 0 ? '' : `, acknowledged within ${median} ms, p99 ${p99} ms`;
    return `${perSecond}/s, ${cpu} % of a core${within}`;
  };
  const [found, peers]: [Measured[], Measured[]] = [[], []];
  let hasEnded = false;
  for (let round = -1; round < (isSmall ? 1 : MANY_ROUNDS); round++) {
    const one = await measure(ours);
    // Its messages are handed on by functions that call one another: of many at once it dies, its stack full.
    const other: Measured | null = hasEnded ? null : await measure(aedes).catch(() => null);
    hasEnded = other === null;
    if (round < 0) continue;
    found.push(one);
    if (other !== null) peers.push(other);
  }
  const load = `${short(RATE)} messages/s over ${short(devices.length)} connections, ${name}`;
  const theirs =
    peers.length === 0 ? 'aedes ended' : `aedes ${said(peers)}${hasEnded ? ', then it ended' : ''}`;
  bench.note(`${load}: ours ${said(found)}; ${theirs}.`);
  const delay = of(found, 'delayP99');
  // Who cannot keep up shows a short delay over less work.
  const keptUp = of(found, 'perSecond').median >= RATE * 0.95;
  const peer = peers.length === 0 ? null : of(peers, 'delayP99');
  return {
    figure: `MQTT, event-loop delay p99, ${load}`,
    measured: delay,
    unit: 'ms',
    // Twice the messages are no demand.
    ...(echoes <= 1 && { must: atMost(keptUp ? delay.median : Infinity, 10, '≤ 10 ms') }),
    ...(peer !== null && { peer: { name: 'aedes', measured: peer }, ratio: timesLess(delay, peer) }),
  };
}

/** Bytes that each connection takes, of brokers that have just been started. */
async function idle(
  open: () => Promise<Brokers>,
  devices: readonly MqttDevice[],
  isSmall: boolean,
): Promise<Figure[]> {
  const taken = { ours: [] as number[], aedes: [] as number[], mosquitto: [] as number[] };
  const heaps = { ours: [] as number[], aedes: [] as number[] };
  for (let round = 0; round < (isSmall ? 1 : MANY_ROUNDS); round++) {
    const brokers = await open();
    try {
      for (const name of ['ours', 'aedes', 'mosquitto'] as const) {
        const broker = brokers[name];
        if (broker === null) continue;
        const { rss, heap } = await idleOn(broker, devices);
        taken[name].push(rss);
        if (name !== 'mosquitto') heaps[name].push(heap);
      }
    } finally {
      await brokers.stop();
    }
  }
  const line = (what: string, ours: number[], peer: string, peers: number[]): Figure[] => {
    if (peers.length === 0) return [];
    const [measured, measuredOfPeer] = [sampleOf(ours), sampleOf(peers)];
    return [
      {
        figure: `MQTT, ${what} of an idle connection, ${short(devices.length)} of them`,
        measured,
        unit: 'bytes',
        peer: { name: peer, measured: measuredOfPeer },
        ratio: timesLess(measured, measuredOfPeer),
      },
    ];
  };
  return [
    ...line('resident memory', taken.ours, 'aedes', taken.aedes),
    ...line('resident memory', taken.ours, 'mosquitto', taken.mosquitto),
    ...line('heap', heaps.ours, 'aedes', heaps.aedes),
  ];
}

/** Bytes a connection. Some come and go before: what the first ones load and compile is not theirs. */
async function idleOn(
  { port, usage }: Broker,
  devices: readonly MqttDevice[],
): Promise<{ rss: number; heap: number }> {
  const connect: IdleMessage = { task: 'idle', port, version: 4, devices };
  await askOnce('mqtt-load', { ...connect, devices: devices.slice(0, 50) });
  const before = await usage();
  const child = startChild('mqtt-load');
  try {
    await child.ask(connect);
    const after = await usage();
    return {
      rss: (after.rss - before.rss) / devices.length,
      heap: (after.heap - before.heap) / devices.length,
    };
  } finally {
    await child.stop();
  }
}
