import { deepStrictEqual, fail } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { generator } from '../../faults/random-crashes.ts';
import { startServiceProcess, type ServiceProcess } from '../../helpers/service/service-process.ts';
import {
  hear,
  publishWithMqttJs,
  publishWithPaho,
  type Hearer,
  type Publisher,
  type Target,
} from './publishers.ts';

/* The service is killed while clients publish with QoS 1 and 2 and others hear it, again and again, on one port. */

/** ms after all are at work that a life of the service lasts at most, and that a tester waits for anything. */
const LONGEST_LIFE_MS = 300;
const PATIENCE_MS = 60_000;

const START = {
  args: ['--vault', 'file', '--tls', 'off'],
  env: { FIELDBENCH_PASSPHRASE: 'correct horse' },
};

interface Pair {
  readonly publisher: Publisher;
  readonly hearer: Hearer;
}

/** Resolves with what was done, in words. Rejects where an acknowledged record is lost, or one of QoS 2 is there twice. */
export async function killedWhilePublishing(seed: number, kills: number): Promise<string> {
  const random = generator(seed);
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-mqtt-kills-'));
  let service = await startServiceProcess({ directory, ...START });
  const port = Number(new URL(service.info.mqtt_url ?? '').port);
  const pairs: Pair[] = [];
  try {
    pairs.push(...(await startPairs(service, port)));
    for (let kill = 0; kill < kills; kill++) {
      await untilWorking(pairs);
      await delay(random() * LONGEST_LIFE_MS);
      await service.kill();
      service = await startServiceProcess({
        directory,
        ...START,
        args: [...START.args, '--mqtt-port', String(port)],
      });
    }
    await within(Promise.all(pairs.map(({ publisher }) => publisher.stop())), 'an acknowledgement');
    const told = await Promise.all(pairs.map((pair) => check(service, pair)));
    // A folder stays where something was wrong, for whoever looks into it.
    await Promise.all(pairs.flatMap(({ publisher, hearer }) => [publisher.end(), hearer.end()]));
    deepStrictEqual(await service.stop(), 0, service.output());
    await rm(directory, { recursive: true, force: true });
    return `${kills} kills, ${told.join('; ')}`;
  } finally {
    await Promise.allSettled(pairs.flatMap(({ publisher, hearer }) => [publisher.end(), hearer.end()]));
    await service.kill();
  }
}

async function startPairs(service: ServiceProcess, port: number): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const version of [4, 5] as const)
    for (const qos of [1, 2] as const) {
      const device = await makeDevice(service);
      const hearer = await hear(port, device, version);
      pairs.push({ hearer, publisher: publishWithMqttJs(port, device, { version, qos }) });
    }
  const device = await makeDevice(service);
  // Not QoS 2: after two attempts to connect that fail, paho 1.6 sends what it has released as new.
  const hearer = await hear(port, device, 5);
  const publisher = publishWithPaho(port, device, 1);
  if (publisher === null) await hearer.end();
  else pairs.push({ publisher, hearer });
  return pairs;
}

async function makeDevice(service: ServiceProcess): Promise<Target> {
  const made = await service.call<{ id: string }>('POST', '/_local/v1/projects', { name: 'Killed' });
  const project = made.data?.id ?? '';
  const { data } = await service.call<{ id: string; metadata: { device_token: string } }>(
    'POST',
    `/v2/projects/${project}/devices`,
    { name: 'Killed', source: 'mqtt' },
  );
  return { project, id: data?.id ?? '', token: data?.metadata.device_token ?? '' };
}

/** Everyone has had something acknowledged since. */
async function untilWorking(pairs: readonly Pair[]): Promise<void> {
  const before = pairs.map(({ publisher }) => publisher.acknowledged.size);
  const working = () => pairs.every(({ publisher }, n) => publisher.acknowledged.size > before[n]!);
  await until(working, () => 'that everyone goes on');
}

async function check(service: ServiceProcess, { publisher, hearer }: Pair): Promise<string> {
  const { name, qos, acknowledged, device } = publisher;
  const stored = await numbersOf(service, device);
  const once = new Set(stored);
  deepStrictEqual([...acknowledged.difference(once)], [], `${name}: acknowledged and not there`);
  const doubled = stored.length - once.size;
  if (qos === 2) deepStrictEqual(doubled, 0, `${name}: stored more than once`);
  const { heard } = hearer;
  const unheard = () => acknowledged.difference(new Set(heard.keys()));
  await until(
    () => unheard().size === 0,
    () =>
      `that ${name} is heard: ${[...unheard()].slice(0, 20).join(' ')} of ${acknowledged.size}, ${heard.size} heard`,
  );
  const again = [...heard.values()].filter((times) => times > 1).length;
  return `${name}: ${acknowledged.size} acknowledged, ${doubled} stored again, ${again} heard again`;
}

async function numbersOf(service: ServiceProcess, { project, id }: Target): Promise<number[]> {
  const numbers: number[] = [];
  for (let page = 1; ; page++) {
    const path = `/v2/projects/${project}/devices/${id}/data?page=${page}&limit=10000&range=all&keys=n`;
    const { data } = await service.call<{ n: number }[]>('GET', path);
    if (!data || data.length === 0) return numbers;
    numbers.push(...data.map(({ n }) => n));
  }
}

async function until(isSo: () => boolean, what: () => string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() >= end) fail(`Waited for ${PATIENCE_MS} ms ${what()}.`);
    await delay(5);
  }
}

async function within<T>(work: Promise<T>, what: string): Promise<T> {
  const over = new AbortController();
  const late = delay(PATIENCE_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`Waited for ${PATIENCE_MS} ms for ${what}.`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}
