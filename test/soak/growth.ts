import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { generator } from '../faults/random-crashes.ts';
import { startPair, type Pair } from '../helpers/postgres/standby.ts';
import { makeFleet, sendAll, type Answers, type Sender } from './fleet.ts';
import { startHost, type Host } from './host.ts';
import { ProcessorTime, processorTimes } from './processor-time.ts';
import { createClient, type Client } from './technician.ts';
import type { Verdict } from './verdict.ts';

export interface Growth {
  readonly minutes: number;
  readonly devices: number;
  /** Records a second of all devices. */
  readonly rate: number;
  /** Records of an upload. */
  readonly each: number;
  /** Of the devices that are read whole at the end. */
  readonly seed: number;
  /** Hears how it goes. */
  readonly say: (line: string) => void;
}

/** The parts of a lab, with what of a processor each took. */
interface Parts {
  readonly pair: Pair;
  readonly hosts: Host[];
  readonly clients: Client[];
  readonly times: Readonly<Record<'primary' | 'standby' | 'services', readonly ProcessorTime[]>>;
  /** Starts a service in the place of one that was killed. */
  readonly restart: (place: number) => Promise<void>;
}

const SERVICES = 2;
/** ms that whoever is killed is away. */
const AWAY_MS = 5000;
/** As deploy/ says of a machine of its own; checkpoints as seldom as on one. */
const SETTINGS = { shared_buffers: "'512MB'", max_wal_size: "'4GB'", wal_compression: 'on' };
/** Devices of which each record is read at the end; of the others they are counted. */
const READ_WHOLE = 200;

/**
 * Lets devices store at two services over a primary with a synchronous standby for some minutes, kills one service after a third of
 * them and the standby after two thirds, and compares each device with what was acknowledged. Resolves with what is wrong, and with
 * what it took. Rejects where an upload is refused for good.
 */
export async function soakGrowth(plan: Growth): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-growth-'));
  const pair = await startPair({ settings: SETTINGS });
  const hosts: Host[] = [];
  const clients: Client[] = [];
  try {
    const parts = await startParts(folder, pair, hosts, clients);
    const senders = await makeFleet(clients[0]!, plan.devices);
    plan.say(`${plan.devices} devices made`);
    const figures = await work(parts, senders, plan);
    const faults = await wrongOf(pair, clients[0]!, senders, plan);
    if (faults.length === 0) plan.say('every record that was acknowledged is there, once');
    return { faults, figures };
  } finally {
    for (const client of clients) client.close();
    for (const host of hosts) await host.kill();
    await pair.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startParts(folder: string, pair: Pair, hosts: Host[], clients: Client[]): Promise<Parts> {
  const keyFile = join(folder, 'lab.key');
  await writeFile(keyFile, randomBytes(32));
  const store = { url: pair.url, password: null, keyFile };
  async function restart(place: number): Promise<void> {
    const host = await startHost(join(folder, `service-${place}`), { store });
    hosts[place] = host;
    clients[place] = createClient(host);
  }
  for (let place = 0; place < SERVICES; place++) await restart(place);
  const times = {
    primary: [new ProcessorTime(() => pair.primary.pid)],
    standby: [new ProcessorTime(() => pair.standbyPid)],
    services: Array.from(
      { length: SERVICES },
      (_, place) => new ProcessorTime(() => hosts[place]?.pid ?? null),
    ),
  };
  return { pair, hosts, clients, times, restart };
}

/** Resolves with the figures. */
async function work(parts: Parts, senders: readonly Sender[], plan: Growth): Promise<string[]> {
  const { clients, times } = parts;
  const forMs = plan.minutes * 60_000;
  const all = [...times.primary, ...times.standby, ...times.services];
  const look = async () => {
    const present = await processorTimes();
    for (const time of all) time.look(present);
  };
  await look();
  const before = new Map(all.map((time) => [time, time.seconds]));
  const [beganMs, cpu] = [performance.now(), process.cpuUsage()];
  let saidMs = beganMs;
  let stored = 0;
  const heard = async (answers: Answers) => {
    await look();
    const [now, more] = [performance.now(), answers.stored - stored];
    if (now - saidMs < forMs / 20) return;
    plan.say(
      `${Math.round((more * 1000) / (now - saidMs))} records a second, p99 ${msOf(answers.once, 99)} ms so far`,
    );
    [saidMs, stored] = [now, answers.stored];
  };
  const [answers] = await Promise.all([
    sendAll({ senders, clients, rate: plan.rate, each: plan.each }, forMs, heard),
    fail(parts, forMs, plan.say),
  ]);
  const seconds = (performance.now() - beganMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const used = (some: readonly ProcessorTime[]) =>
    some.reduce((sum, time) => sum + time.seconds - (before.get(time) ?? 0), 0);
  const share = (name: string, took: number) =>
    `processor time of ${name}: ${took.toFixed(1)} s, ${(took / seconds).toFixed(2)} processors, ${((took / answers.stored) * 1e6).toFixed(0)} µs a record`;
  return [
    `${answers.stored} records in ${seconds.toFixed(0)} s: ${(answers.stored / seconds).toFixed(0)} a second of ${plan.rate} asked for, ${plan.each} an upload`,
    `an upload that was taken: p50 ${msOf(answers.once, 50)}, p99 ${msOf(answers.once, 99)}, at most ${(answers.once.max / 1000).toFixed(0)} ms`,
    `waits for a connection and tries before included: p50 ${msOf(answers.whole, 50)}, p99 ${msOf(answers.whole, 99)}, at most ${(answers.whole.max / 1000).toFixed(0)} ms; ${answers.again} tries were made again`,
    share('the primary', used(times.primary)),
    share('the standby', used(times.standby)),
    share(`${SERVICES} services`, used(times.services)),
    share('the devices (this process)', (user + system) / 1e6),
    `on ${availableParallelism()} processors, which all of these share`,
  ];
}

/** Kills a service and the standby, one after the other, and starts them again. */
async function fail({ pair, hosts, restart }: Parts, forMs: number, say: Growth['say']): Promise<void> {
  await delay(forMs / 3);
  await hosts[1]?.kill();
  say('one of the services killed');
  await delay(AWAY_MS);
  await restart(1);
  say('it is back');
  await delay(forMs / 3);
  await pair.killStandby();
  say('the standby killed: nothing is acknowledged without it');
  await delay(AWAY_MS);
  await pair.startStandby();
  say('it is back');
}

/** Resolves with what is not as it was acknowledged. */
async function wrongOf(
  { url }: Pair,
  client: Client,
  senders: readonly Sender[],
  { seed }: Growth,
): Promise<string[]> {
  const database = await openDatabase({ url });
  const counts = await countsOf(database);
  await database.close();
  const faults: string[] = [];
  const wrong = senders.filter(({ id, stored }) => (counts.get(id) ?? 0) !== stored);
  for (const { id, stored } of wrong.slice(0, 5))
    faults.push(`device ${id} has ${counts.get(id) ?? 0} records, and ${stored} were acknowledged`);
  if (wrong.length > 5) faults.push(`so it is of ${wrong.length} devices`);
  const random = generator(seed);
  const some = new Set(
    Array.from({ length: READ_WHOLE }, () => senders[Math.floor(random() * senders.length)]!),
  );
  for (const sender of some) {
    const found = await numbersOf(client, sender);
    const isWhole = found.length === sender.stored && found.every((n, at) => n === sender.stored - 1 - at);
    if (!isWhole)
      faults.push(
        `device ${sender.id} has the records ${found.join(', ')}, newest first, of ${sender.stored}`,
      );
  }
  return faults;
}

async function countsOf(database: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await database.ask<{ device_id: string; rows: number }>(
    'SELECT device_id, rows FROM device_head',
    [],
  );
  return new Map(rows.map(({ device_id, rows: count }) => [device_id, count]));
}

/** Resolves with the numbers in the records of a device, newest first. */
async function numbersOf(client: Client, { path, stored }: Sender): Promise<readonly number[]> {
  const found: number[] = [];
  for (let page = 1; (page - 1) * 10_000 < stored; page++) {
    const { status, body } = await client.ask('GET', `${path}?page=${page}&limit=10000&range=all`);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
    const { data } = JSON.parse(body) as { data: { n: number }[] };
    found.push(...data.map(({ n }) => n));
  }
  return found;
}

const msOf = (histogram: Answers['once'], share: number) => (histogram.percentile(share) / 1000).toFixed(0);
