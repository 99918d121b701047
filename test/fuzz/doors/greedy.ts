import { deepStrictEqual, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpOperationIds, operationIds } from '#shared/operations/index.ts';
import { compileService } from '../../soak/compiled.ts';
import { startHost, type Host } from '../../soak/host.ts';
import { createClient, randomOf, type Client } from '../../soak/technician.ts';
import type { Door } from './door.ts';
import { createAskers, WHO, type Askers, type Who } from './greedy/askers.ts';
import { floodPackets, HALVES, PACKETS_OF_CLIENTS, sendHalves } from './greedy/packets.ts';
import { floodOperation } from './greedy/requests.ts';
import { floodFrames, floodWindows, FRAMES } from './greedy/windows.ts';
import { expectQuick } from './turns.ts';

/* One client, or many, that ask for as much as they may: nobody else is kept waiting, and the service stays up. */

/** As much memory as small machines give it. */
const FLAGS = ['--max-old-space-size=1024'];
/** As the units of deploy/ give it. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };
const MOST_RSS = 512 * 1024 * 1024;
/** ms of a processor that a stop may take. */
const LONGEST_STOP_MS = 5000;

/** Something that is asked for too often. */
interface Attack {
  readonly name: string;
  run(target: Target): Promise<void>;
}

interface Target {
  readonly host: Host;
  readonly askers: Askers;
}

const portsOf = ({ url, mqtt }: Host) => ({
  port: Number(new URL(url).port),
  mqttPort: Number(new URL(mqtt).port),
});
const loginOf = ({ mqtt }: Askers, who: Who) =>
  who === 'a stranger' ? { ...mqtt, token: 'x'.repeat(40) } : mqtt;

/** Each operation, by HTTP and by windows, each message, packet and half a one, by each who may ask. */
const attacks: readonly Attack[] = WHO.flatMap((who) => [
  ...httpOperationIds.map((id) => ({
    name: `${who}: ${id}`,
    run: ({ host, askers }: Target) => floodOperation(host.url, id, askers.keysOf(who), askers.world),
  })),
  ...operationIds.map((id) => ({
    name: `${who}: ${id} by windows`,
    run: ({ host, askers }: Target) => floodWindows(host.url, id, askers.keysOf(who), askers.world),
  })),
  ...FRAMES.map((kind) => ({
    name: `${who}: ${kind} of windows`,
    run: ({ host, askers }: Target) => floodFrames(host.url, kind, askers.keysOf(who)),
  })),
  ...PACKETS_OF_CLIENTS.map((kind) => ({
    name: `${who}: ${kind} of MQTT`,
    run: ({ host, askers }: Target) => floodPackets(portsOf(host), kind, loginOf(askers, who)),
  })),
  ...HALVES.map((what) => ({
    name: `${who}: ${what}, but for its end`,
    run: ({ host, askers }: Target) =>
      sendHalves(portsOf(host), what, askers.keysOf(who)[0] ?? '', loginOf(askers, who)),
  })),
]);

export const greedy: Door = {
  name: 'greedy',
  async run(_stage, { seed, inputs }) {
    await using compiled = await compileService();
    const { script, worker } = compiled;
    const directory = await mkdtemp(join(tmpdir(), 'fieldbench-greedy-'));
    const start = () =>
      startHost(join(directory, 'data'), { script, worker, flags: FLAGS, environment: ENVIRONMENT });
    let host = await start();
    try {
      const askers = await createAskers(host);
      for (const attack of chosen(seed, inputs)) await withstood(attack, { host, askers });
      const { busyMs } = await host.stop();
      ok(busyMs <= LONGEST_STOP_MS, `A stop took ${busyMs} ms of a processor.`);
      host = await start();
      await expectServed(createClient(host), await createAskers(host), 'after it was started again');
      return Math.min(inputs, attacks.length);
    } finally {
      await host.kill();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** Some of them, none twice. */
function chosen(seed: number, count: number): Attack[] {
  const random = randomOf(seed);
  const left = [...attacks];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(random(left.length), 1),
  ).flat();
}

/** Rejects where an attack kept others waiting, was not borne, or took too much memory. */
async function withstood(attack: Attack, target: Target): Promise<void> {
  const { host, askers } = target;
  const others = createClient(host);
  try {
    await host.turns();
    await expectQuick(async () => {
      const over = new AbortController();
      const attacking = attack.run(target).finally(() => over.abort());
      do await expectServed(others, askers, 'meanwhile');
      while (!over.signal.aborted);
      await attacking;
      const { stalls, errors, peakRss } = await host.turns();
      deepStrictEqual(errors, [], 'the service logged errors');
      ok(peakRss <= MOST_RSS, `The service took ${Math.round(peakRss / 1024 / 1024)} MiB.`);
      return Math.max(0, ...stalls.map(({ busyMs }) => busyMs));
    });
  } catch (error) {
    throw new Error(`Not withstood: ${attack.name}`, { cause: error });
  } finally {
    others.close();
  }
}

let number = 0;

/** Somebody else, with a key and a token of another project, stores and reads as ever. */
async function expectServed(client: Client, { bystander }: Askers, when: string): Promise<void> {
  const stored = await client.ask('POST', '/integrations/http', `{"a":${++number}}`, {
    token: bystander.token,
  });
  deepStrictEqual([stored.status, stored.body], [200, stored.body], `somebody else stores ${when}`);
  const page = await client.ask('GET', `${bystander.path}/data?page=1&limit=1&range=all`);
  ok(
    page.status === 200 && page.body.includes(`"a":${number}}`),
    `somebody else reads ${when}: ${page.body}`,
  );
}
