import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Produced, Production } from '../../children/producer.ts';
import type { ServiceMessage, Setup, Started } from '../../children/service.ts';
import { sensorSource, uniform } from '../../lib/data.ts';
import { openLabFixture, startPostgresOfBench } from '../../lib/lab.ts';
import { percentile, rounds, sampleOf, type Sample } from '../../lib/measure.ts';
import { askOnce, startChild } from '../../lib/process.ts';
import { atLeast, atMost, short, type Bench, type Figure, type Row } from '../../lib/row.ts';
import type { Usage } from '../../lib/usage.ts';
import { openSharedEvents } from '../../../electron/core/lab/shared-events.ts';
import { openDatabase } from '../../../electron/core/store/postgres/connection/connections.ts';
import type { Postgres } from '../../../test/helpers/postgres/postgres.ts';

/* What a service over PostgreSQL takes over HTTP, how soon another process hears of it, and what it holds in memory. */

const ROUNDS = 3;
const SECONDS = 4;
const BATCH = 1000;
const AT_ONCE = 8;
/** ms of records' own time that no run comes near to. */
const RUN_MS = 100_000_000;
const EVENTS = 300;
const DEVICES = 1000;
const EACH = 2000;

type Store = NonNullable<ServiceMessage['start']['store']>;

export const labServices: Row = {
  name: 'lab-services',
  title: 'Services over PostgreSQL',
  async run(bench): Promise<Figure[]> {
    const postgres = await startPostgresOfBench();
    try {
      return [
        ...(await uploadsOverHttp(bench, postgres)),
        await eventsBetween(bench, postgres),
        await memory(bench, postgres),
      ];
    } finally {
      await postgres.stop();
    }
  },
};

/** A fresh database, and the key of its services. */
async function freshStore(bench: Bench, postgres: Postgres): Promise<Store> {
  const keyFile = join(await bench.madeFolder(), 'lab.key');
  await writeFile(keyFile, randomBytes(32));
  return { url: await postgres.database(), keyFile };
}

const setUp = async (bench: Bench, store: Store) =>
  askOnce<Setup>('service', { start: { directory: await bench.madeFolder(), store }, setUp: true });

async function uploadsOverHttp(bench: Bench, postgres: Postgres): Promise<Figure[]> {
  const store = await freshStore(bench, postgres);
  const { token } = await setUp(bench, store);
  const service = startChild('service');
  const plain = startChild('service');
  try {
    const { url } = await service.ask<Started>({ start: { directory: await bench.madeFolder(), store } });
    const folder = await bench.copyOfFilled(0);
    const { url: plainUrl } = await plain.ask<Started>({ start: { directory: folder.directory } });
    let from = Date.now();
    const perSecond = (to: { url: string; token: string }) =>
      rounds(bench.isSmall ? 1 : ROUNDS, async () => {
        from += RUN_MS;
        const message: Production = {
          ...to,
          form: 'json',
          from,
          batch: BATCH,
          seconds: bench.isSmall ? 1 : SECONDS,
          connections: AT_ONCE,
        };
        return (await askOnce<Produced>('producer', message)).perSecond;
      });
    const measured = await perSecond({ url, token });
    const ofPeer = await perSecond({ url: plainUrl, token: folder.token });
    return [
      {
        figure: `PostgreSQL, HTTP, uploads of ${BATCH} records as a JSON array, ${AT_ONCE} at once, one service`,
        measured,
        unit: 'records/s',
        must: atLeast(measured.median, 100_000, '≥ 100 k/s'),
        peer: { name: 'a service over a folder', measured: ofPeer },
        ratio: measured.median / ofPeer.median,
      },
    ];
  } finally {
    await service.stop();
    await plain.stop();
  }
}

/** From when a record is sent to one service until another process knows of it. */
async function eventsBetween(bench: Bench, postgres: Postgres): Promise<Figure> {
  const store = await freshStore(bench, postgres);
  const { token } = await setUp(bench, store);
  const service = startChild('service');
  const database = await openDatabase({ url: store.url });
  const warn = (line: string) => bench.note(line);
  const events = await openSharedEvents({ database, isSpread: false, service_id: 'bench', log: { warn } });
  try {
    const { url } = await service.ask<Started>({ start: { directory: await bench.madeFolder(), store } });
    let heard = () => {};
    const subscriber = events.subscriber(
      () => heard(),
      () => {},
    );
    subscriber.subscribe('records.stored');
    const random = uniform(29);
    const took: number[] = [];
    for (let n = 0; n < (bench.isSmall ? 10 : EVENTS); n++) {
      await delay(random() * 100);
      const told = new Promise<void>((resolve) => (heard = resolve));
      const began = performance.now();
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ n });
      const answer = await fetch(`${url}/integrations/http`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(await answer.text());
      await told;
      took.push(performance.now() - began);
    }
    subscriber.close();
    const sorted = took.toSorted((a, b) => a - b);
    const p99 = percentile(sorted, 0.99);
    return {
      figure: 'PostgreSQL, from sending a record to one service until another process hears of it, p99',
      measured: { median: p99, min: percentile(sorted, 0.5), max: sorted.at(-1) ?? 0 },
      unit: 'ms',
      must: atMost(p99, 250, '≤ 250 ms'),
    };
  } finally {
    await service.stop();
    await events.close();
    await database.close();
  }
}

/** What a service that was asked for pages of many devices holds above one that was asked as often for nothing. */
async function memory(bench: Bench, postgres: Postgres): Promise<Figure> {
  const devices = bench.isSmall ? 20 : DEVICES;
  const filled = await freshStore(bench, postgres);
  const fixture = await openLabFixture(filled.url);
  const paths = await withService(bench, filled, async ({ url, headers }) => {
    const { store, close } = await fixture.open();
    const made: string[] = [];
    const project = await post(`${url}/_local/v1/projects`, headers, { name: 'Bench' });
    for (let n = 0; n < devices; n++) {
      const path = `/v2/projects/${project}/devices`;
      const device = await post(`${url}${path}`, headers, { name: `Device ${n}`, source: 'http' });
      await store.append(device, sensorSource(n)(EACH));
      made.push(`${path}/${device}/data?range=all&limit=100&page=`);
    }
    await close();
    return made;
  });
  await fixture.close();
  const used = (of: Store, asked: readonly string[]) =>
    rounds(bench.isSmall ? 1 : ROUNDS, () =>
      withService(bench, of, async ({ url, headers, usage }) => {
        for (const path of asked) {
          const answer = await fetch(`${url}${path}`, { headers });
          await answer.arrayBuffer();
          if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`);
        }
        return (await usage()).rss / 1e6;
      }),
    );
  const anyPage = (path: string, n: number) => [`${path}1`, `${path}${1 + (n % (EACH / 100))}`];
  const asked = paths.flatMap(anyPage);
  const withDevices = await used(filled, asked);
  const without = await used(
    await freshStore(bench, postgres),
    asked.map(() => '/_local/v1/projects'),
  );
  const more: Sample = sampleOf([withDevices.median - without.median]);
  return {
    figure: `PostgreSQL, memory of a service that read ${short(devices)} devices, above one that read nothing`,
    measured: more,
    unit: 'MB',
    must: atMost(more.median, 100, '≤ 100 MB'),
    peer: { name: 'an empty one, in all', measured: without },
  };
}

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly usage: () => Promise<Usage>;
}

async function withService<T>(bench: Bench, store: Store, work: (asked: Asked) => Promise<T>): Promise<T> {
  const child = startChild('service', ['--expose-gc']);
  try {
    const directory = await bench.madeFolder();
    const { url, key } = await child.ask<Started>({ start: { directory, store } });
    const usage = () => child.ask<Usage>({ usage: true });
    return await work({ url, headers: { authorization: `Bearer ${key}` }, usage });
  } finally {
    await child.stop();
  }
}

async function post(url: string, headers: Asked['headers'], body: object): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const { data } = (await response.json()) as { data: { id: string } };
  return data.id;
}
