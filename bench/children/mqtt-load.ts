import { setTimeout as delay } from 'node:timers/promises';
import { answerMessages } from '../lib/child.ts';
import { percentile } from '../lib/measure.ts';
import { MqttClient, type MqttClientEvents, type MqttClientOptions } from '../lib/mqtt-client.ts';

/** Who publishes, each to its own topic. */
export interface MqttDevice {
  readonly id: string;
  readonly token: string;
}

interface Clients extends Pick<MqttClientOptions, 'port' | 'version'> {
  readonly devices: readonly MqttDevice[];
}

/** Connects all, and leaves them connected until the channel closes. */
export interface IdleMessage extends Clients {
  readonly task: 'idle';
}

/** QoS 1: each publishes the next message as soon as one of its window is acknowledged. */
export interface WindowMessage extends Clients {
  readonly task: 'window';
  readonly window: number;
  readonly seconds: number;
  readonly retain: boolean;
}

/** All together so many messages a second, one after another, for so many seconds. */
export interface RateMessage extends Clients {
  readonly task: 'rate';
  readonly qos: 0 | 1;
  readonly rate: number;
  readonly seconds: number;
  /** How many of them hear what they publish. */
  readonly echoes: number;
}

export interface Windowed {
  /** Acknowledged a second. */
  readonly perSecond: number;
}

export interface Rated {
  /** A second, until the last one was acknowledged or, with QoS 0, read. */
  readonly perSecond: number;
  /** ms until a message was acknowledged; 0 with QoS 0. */
  readonly median: number;
  readonly p99: number;
  /** Messages that came back. */
  readonly heard: number;
}

const WARM_UP_MS = 500;
const CONNECTS_AT_ONCE = 32;
/** Messages of one device under way where they come at a rate: so many that none ever waits for another. */
const RATE_WINDOW = 60;
const TICK_MS = 1;

answerMessages((message: IdleMessage | WindowMessage | RateMessage) => {
  if (message.task === 'idle') return idle(message);
  return message.task === 'window' ? windowed(message) : rated(message);
});

async function open(
  { port, version, devices }: Clients,
  more: Pick<MqttClientOptions, 'qos' | 'window' | 'retain'>,
  eventsOf: (n: number) => MqttClientEvents,
): Promise<MqttClient[]> {
  const clients: MqttClient[] = [];
  for (let n = 0; n < devices.length; n += CONNECTS_AT_ONCE) {
    const some = devices.slice(n, n + CONNECTS_AT_ONCE).map(({ id, token }, i) => {
      const who = { clientId: `client-${n + i}`, username: id, password: token, topic: id };
      return MqttClient.open({ port, version, ...who, ...more }, eventsOf(n + i));
    });
    clients.push(...(await Promise.all(some)));
  }
  return clients;
}

async function idle(message: IdleMessage): Promise<{ connected: number }> {
  const clients = await open(message, { qos: 1, window: 1 }, () => ({}));
  process.once('disconnect', () => clients.forEach((client) => client.end()));
  return { connected: clients.length };
}

async function windowed(message: WindowMessage): Promise<Windowed> {
  const { window, seconds, retain } = message;
  let acknowledged = 0;
  let isOver = false;
  const clients: MqttClient[] = [];
  const opened = await open(message, { qos: 1, window, retain }, (n) => ({
    acknowledged(slots) {
      acknowledged += slots.length;
      if (!isOver) for (const [slot, count] of runsOf(slots)) clients[n]?.publish(slot, count);
    },
  }));
  clients.push(...opened);
  for (const client of clients) client.publish(0, window);
  await delay(WARM_UP_MS);
  const [before, began] = [acknowledged, performance.now()];
  await delay(seconds * 1000);
  const perSecond = ((acknowledged - before) * 1000) / (performance.now() - began);
  isOver = true;
  for (const client of clients) client.end();
  return { perSecond };
}

/** Places of the window that follow one another leave in one piece. */
function runsOf(slots: readonly number[]): (readonly [slot: number, count: number])[] {
  const runs: [number, number][] = [];
  for (const slot of slots) {
    const last = runs.at(-1);
    if (last !== undefined && slot === last[0] + last[1]) last[1]++;
    else runs.push([slot, 1]);
  }
  return runs;
}

async function rated(message: RateMessage): Promise<Rated> {
  const { devices, qos, rate, seconds, echoes } = message;
  const all = rate * seconds;
  const sentAt = devices.map(() => new Float64Array(RATE_WINDOW));
  const times = new Float64Array(qos === 0 ? 0 : all);
  let [acknowledged, heard] = [0, 0];
  const done = Promise.withResolvers<void>();
  const clients = await open(message, { qos, window: RATE_WINDOW }, (n) => ({
    acknowledged(slots) {
      const now = performance.now();
      for (const slot of slots) times[acknowledged++] = now - sentAt[n]![slot]!;
      if (acknowledged === all) done.resolve();
    },
    heard: (count) => (heard += count),
  }));
  for (const client of clients.slice(0, echoes)) await client.subscribe();
  const began = performance.now();
  for (let sent = 0; sent < all;) {
    const due = Math.min(all, Math.floor(((performance.now() - began) * rate) / 1000));
    for (; sent < due; sent++) {
      const n = sent % devices.length;
      const slot = Math.floor(sent / devices.length) % RATE_WINDOW;
      sentAt[n]![slot] = performance.now();
      clients[n]!.publish(slot, 1);
    }
    await delay(TICK_MS);
  }
  await (qos === 0 ? Promise.all(clients.map((client) => client.ping())) : done.promise);
  const perSecond = (all * 1000) / (performance.now() - began);
  for (const client of clients) client.end();
  const sorted = qos === 0 ? [0] : Array.from(times.toSorted());
  return { perSecond, median: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), heard };
}
