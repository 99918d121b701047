import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { startPostgres } from '../helpers/postgres/postgres.ts';
import { startHost, type Host } from './host.ts';
import type { LabSample } from './lab-verdict.ts';
import { createClient, type Client } from './technician.ts';

export interface LabSoak {
  readonly minutes: number;
  readonly devices: number;
  /** Records a second, each stored by itself. */
  readonly rate: number;
  /** Notes of changes that are there before it begins. */
  readonly leftovers: number;
  /** Hears how it goes. */
  readonly say: (line: string) => void;
}

/** A device, and how many of its records were acknowledged. */
interface Sender {
  readonly path: string;
  readonly token: string;
  stored: number;
}

const SERVICES = 3;
const SAMPLES = 40;
const TICK_MS = 10;
/** Requests under way at most: where they are not answered, senders wait. */
const MOST_UNDER_WAY = 2000;
const SETTINGS = { shared_buffers: "'256MB'", max_wal_size: "'2GB'" };

/**
 * Lets devices store single records at three services over one database for some minutes, and looks 40 times at what grows.
 * Rejects where a record is refused, where not all are there at the end, or where a service ends.
 */
export async function soakLab(plan: LabSoak): Promise<LabSample[]> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-lab-soak-'));
  const postgres = await startPostgres(SETTINGS);
  const url = await postgres.database();
  const database = await openDatabase({ url });
  const hosts: Host[] = [];
  const clients: Client[] = [];
  try {
    const keyFile = join(folder, 'lab.key');
    await writeFile(keyFile, randomBytes(32));
    await leaveNotes(database, plan.leftovers);
    for (let n = 0; n < SERVICES; n++) {
      const host = await startHost(join(folder, `service-${n}`), { store: { url, password: null, keyFile } });
      hosts.push(host);
      clients.push(createClient(host));
    }
    const senders = await makeSenders(clients[0]!, plan.devices);
    plan.say(`${plan.devices} devices made, with ${plan.leftovers} notes of changes from before`);
    const samples = await work(clients, senders, database, plan);
    await requireAll(clients[0]!, senders);
    plan.say('every record that was acknowledged is there, once');
    return samples;
  } finally {
    for (const client of clients) client.close();
    for (const host of hosts) await host.kill();
    await database.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What some hours of changes leave, in the parts of the hour before and of the next one. */
async function leaveNotes(database: Database, count: number): Promise<void> {
  const hour = 'floor(extract(epoch FROM now()) / 3600)::bigint';
  for (let left = count; left > 0; left -= 10_000)
    await database.ask(
      `INSERT INTO outcome (lane, part, id, stored)
         SELECT n % 256, (${hour} + 1 + n % 2) % 3, gen_random_uuid(), true FROM generate_series(1, $1::int) AS n`,
      [Math.min(left, 10_000)],
    );
}

async function makeSenders(client: Client, count: number): Promise<Sender[]> {
  const made = async (path: string, body: object) => {
    const answer = await client.ask('POST', path, JSON.stringify(body));
    return (JSON.parse(answer.body) as { data: { id: string; metadata?: { device_token: string } } }).data;
  };
  const project = await made('/_local/v1/projects', { name: 'Soak' });
  const senders: Sender[] = [];
  for (let n = 0; n < count; n++) {
    const path = `/v2/projects/${project.id}/devices`;
    const device = await made(path, { name: `Sensor ${n}`, source: 'http' });
    senders.push({ path: `${path}/${device.id}`, token: device.metadata?.device_token ?? '', stored: 0 });
  }
  return senders;
}

async function work(
  clients: readonly Client[],
  senders: readonly Sender[],
  database: Database,
  { minutes, rate, say }: LabSoak,
): Promise<LabSample[]> {
  const samples: LabSample[] = [];
  const beganMs = performance.now();
  const endMs = beganMs + minutes * 60_000;
  const failed = new AbortController();
  const underWay = new Set<Promise<void>>();
  let latencies: number[] = [];
  let sent = 0;

  async function send(n: number): Promise<void> {
    const sender = senders[n % senders.length]!;
    const client = clients[n % clients.length]!;
    const startMs = performance.now();
    const body = JSON.stringify({ n, temperature: 20 + (n % 100) / 10 });
    const answer = await client.ask('POST', '/integrations/http', body, { token: sender.token });
    if (answer.status !== 200) throw new Error(`A record was refused: ${answer.status} ${answer.body}`);
    sender.stored++;
    latencies.push(performance.now() - startMs);
  }

  for (let now = performance.now(); now < endMs && !failed.signal.aborted; now = performance.now()) {
    const due = Math.floor(((now - beganMs) * rate) / 1000);
    while (sent < due && underWay.size < MOST_UNDER_WAY) {
      const one: Promise<void> = send(sent++)
        .catch((error: unknown) => failed.abort(error))
        .finally(() => underWay.delete(one));
      underWay.add(one);
    }
    if (((now - beganMs) / (endMs - beganMs)) * SAMPLES >= samples.length + 1) {
      const sample = await sampleOf(database, latencies);
      latencies = [];
      samples.push(sample);
      const behind = due - sent + underWay.size;
      say(`p99 ${sample.p99Ms.toFixed(0)} ms, longest tail ${sample.longestTail}, ${behind} to be answered`);
    }
    await delay(TICK_MS);
  }
  await Promise.all(underWay);
  failed.signal.throwIfAborted();
  say(`${sent} records stored`);
  return samples;
}

const TABLES = `SELECT regexp_replace(relname, '^outcome_[0-9]$', 'outcome') AS name, sum(pg_total_relation_size(oid))::bigint AS bytes
  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace GROUP BY 1`;
/** Of two hours ago, which one service has emptied once it runs. */
const OLD_NOTES =
  'SELECT count(*) AS count FROM outcome WHERE part = (floor(extract(epoch FROM now()) / 3600)::bigint + 1) % 3';

async function sampleOf(database: Database, latencies: readonly number[]): Promise<LabSample> {
  const tables = await database.ask<{ name: string; bytes: number }>(TABLES, []);
  const [tail] = await database.ask<{ longest: number }>(
    'SELECT coalesce(max(tail_rows), 0)::bigint AS longest FROM device_head',
    [],
  );
  const [old] = await database.ask<{ count: number }>(OLD_NOTES, []);
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    bytes: Object.fromEntries(tables.map(({ name, bytes }) => [name, bytes])),
    longestTail: tail?.longest ?? 0,
    oldNotes: old?.count ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
}

async function requireAll(client: Client, senders: readonly Sender[]): Promise<void> {
  for (const { path, stored } of senders) {
    const { total } = await client.ask('GET', `${path}/data?page=1&limit=1&range=all`);
    if (total !== stored) throw new Error(`A device has ${total} records, and ${stored} were acknowledged.`);
  }
}
