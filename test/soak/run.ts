import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClockSetting } from '#core/base/rig-clock.ts';
import { parseInstant } from '#shared/values/time.ts';
import { startHost, type Host } from './host.ts';
import type { Held } from './service.ts';
import { createClient, randomOf, Technician } from './technician.ts';
import { megabytes } from './verdict.ts';

export interface Soak {
  readonly minutes: number;
  readonly devices: number;
  readonly seed: number;
  /** How much faster the service's clock runs. */
  readonly factor: number;
  /** Hears how it goes. */
  readonly say: (line: string) => void;
}

export interface Soaked {
  readonly acts: number;
  readonly stored: number;
  /** What the service held, as time went by. */
  readonly samples: readonly Held[];
}

/** People at work at once, each with devices of their own. */
const TECHNICIANS = 16;
const SAMPLES = 60;

/**
 * Lets people work on a service for some minutes, looking at what it holds 60 times; then kills it, starts it again, and
 * compares each device with what was acknowledged, and once more after a stop. Rejects where an answer is wrong, a record
 * is missing, or the service ends.
 */
export async function soak({ minutes, devices, seed, factor, say }: Soak): Promise<Soaked> {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-soak-'));
  let host = await startHost(directory, { clock: { mode: 'scaled', rate: factor } });
  const client = createClient(host);
  try {
    const { body } = await client.ask('POST', '/_local/v1/projects', '{"name":"Soak"}');
    const project = (JSON.parse(body) as { data: { id: string } }).data.id;
    const people = Array.from(
      { length: Math.min(TECHNICIANS, devices) },
      (_, person) => new Technician(project, client, randomOf(seed + person)),
    );
    await Promise.all(people.map((person, n) => createDevices(person, share(devices, people.length, n))));
    await Promise.all(people.map((person) => person.settle()));
    say(`${devices} devices made, with ${sum(people, 'stored')} records`);
    const samples = await work(people, host, minutes, say);
    host = await again(host, directory, 'kill', people);
    host = await again(host, directory, 'stop', people);
    say('every record is there after a kill and after a stop');
    return { acts: sum(people, 'acts'), stored: sum(people, 'stored'), samples };
  } finally {
    client.close();
    await host.kill();
    await rm(directory, { recursive: true, force: true });
  }
}

async function createDevices(person: Technician, count: number): Promise<void> {
  for (let made = 0; made < count; made++) await person.create();
}

const share = (all: number, among: number, n: number) => Math.floor((all + among - 1 - n) / among);

async function work(
  people: readonly Technician[],
  host: Host,
  minutes: number,
  say: (line: string) => void,
): Promise<Held[]> {
  const end = performance.now() + minutes * 60_000;
  const samples: Held[] = [];
  const failed = new AbortController();
  const working = people.map(async (person) => {
    while (performance.now() < end && !failed.signal.aborted) await person.act();
  });
  const over = Promise.all(working).catch((error: unknown) => {
    failed.abort(error);
    throw error;
  });
  over.catch(() => undefined);
  const every = (minutes * 60_000) / SAMPLES;
  for (let n = 1; n <= SAMPLES; n++) {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, every)), over]);
    failed.signal.throwIfAborted();
    const held = await host.held();
    samples.push(held);
    if (n % 6 === 0) say(described(held, sum(people, 'stored')));
  }
  await over;
  return samples;
}

/** Ends a service and starts it again; its clock goes on from where it stood. */
async function again(
  host: Host,
  directory: string,
  how: 'kill' | 'stop',
  people: readonly Technician[],
): Promise<Host> {
  const clock = await clockOf(host);
  await host[how]();
  const next = await startHost(directory, { clock });
  const client = createClient(next);
  try {
    for (const person of people) await person.check(client);
  } finally {
    client.close();
  }
  return next;
}

async function clockOf(host: Host): Promise<ClockSetting> {
  const client = createClient(host);
  try {
    const { body } = await client.ask('GET', '/_local/v1/clock');
    const { now, rate } = (JSON.parse(body) as { data: { now: string; rate: number } }).data;
    return { mode: 'scaled', now: parseInstant(now) ?? undefined, rate };
  } finally {
    client.close();
  }
}

const sum = (people: readonly Technician[], field: 'acts' | 'stored') =>
  people.reduce((total, person) => total + person[field], 0);

function described({ heap, rss, descriptors, longestMs }: Held, stored: number): string {
  return `${stored} records stored; heap ${megabytes(heap)} MB, resident ${megabytes(rss)} MB, ${descriptors} descriptors, longest turn ${longestMs} ms`;
}
