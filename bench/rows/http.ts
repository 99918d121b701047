import type { Load, Loaded } from '../children/load.ts';
import type { Started } from '../children/service.ts';
import { sensorSource, uniform } from '../lib/data.ts';
import { rounds, type Sample } from '../lib/measure.ts';
import { askOnce, startChild } from '../lib/process.ts';
import { atLeast, short, timesMore, type Figure, type Row } from '../lib/row.ts';

const ROUNDS = 3;
const SECONDS = 4;
const CONNECTIONS = 32;
const LIMIT = 100;

/** One core each for the server and for who asks. */
async function load(of: Omit<Load, 'connections' | 'seconds'>): Promise<Sample> {
  return rounds(ROUNDS, async () => {
    const asked: Load = { ...of, connections: CONNECTIONS, seconds: SECONDS };
    const { rate, failed } = await askOnce<Loaded>('load', asked);
    if (failed > 0) throw new Error(`${failed} requests were not answered with 200.`);
    return rate;
  });
}

export const http: Row = {
  name: 'http',
  title: 'Over HTTP',
  async run(bench): Promise<Figure[]> {
    const filled = await bench.copyOfFilled(bench.records);
    const service = startChild('service');
    const hello = startChild('hello');
    try {
      const { url, key: apiKey } = await service.ask<Started>({ start: { directory: filled.directory } });
      const headers = { authorization: `Bearer ${apiKey}` };
      const data = `${url}/v2/projects/${filled.project}/devices/${filled.device}/data?limit=${LIMIT}&range=all&page=`;
      const random = uniform(5);
      const depths = Array.from({ length: 500 }, () => 1 + Math.floor((random() * bench.records) / LIMIT));
      const body = await (await fetch(`${data}1`, { headers })).text();
      const { url: helloUrl } = await hello.ask<{ url: string }>({ body });
      const plain = await load({ urls: [helloUrl], headers: {} });
      const first = await load({ urls: [`${data}1`], headers });
      const anywhere = await load({ urls: depths.map((page) => `${data}${page}`), headers });
      const record = sensorSource(9)(1)[0];
      const stored = await load({
        urls: [`${url}/integrations/http`],
        headers: { authorization: `Bearer ${filled.token}`, 'content-type': 'application/json' },
        method: 'POST',
        body: JSON.stringify(Object.fromEntries(record?.keys.map((key, i) => [key, record.values[i]]) ?? [])),
      });
      const rules = Array.from({ length: 10 }, (_, n) => ({
        match: { path: `/v2/projects/none-${n}` },
        do: { status: 503 },
      }));
      const set = await fetch(`${url}/_local/v1/faults`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ rules }),
      });
      if (!set.ok) throw new Error(await set.text());
      const beside = await load({ urls: [`${data}1`], headers });
      const peer = { name: 'Fastify hello, the same bytes', measured: plain };
      const page = (figure: string, measured: Sample): Figure => {
        const ratio = timesMore(measured, plain);
        return { figure, measured, unit: 'pages/s', must: atLeast(ratio, 0.3, '≥ 0.3×'), peer, ratio };
      };
      return [
        page(`HTTP, page 1 of ${LIMIT}`, first),
        page(`HTTP, page of ${LIMIT} at any depth of ${short(bench.records)}`, anywhere),
        {
          figure: `HTTP, page 1 of ${LIMIT}, beside 10 faults of which none matches`,
          measured: beside,
          unit: 'pages/s',
          must: atLeast(timesMore(beside, first), 0.95, '≥ 0.95×'),
          peer: { name: 'the same without faults', measured: first },
          ratio: timesMore(beside, first),
        },
        {
          figure: `HTTP, one record stored durably, ${CONNECTIONS} writers`,
          measured: stored,
          unit: 'records/s',
          peer,
          ratio: timesMore(stored, plain),
        },
      ];
    } finally {
      await service.stop();
      await hello.stop();
    }
  },
};
