import type { Load, Loaded as Answered } from '../children/load.ts';
import type { Produced, Production } from '../children/producer.ts';
import type { Started } from '../children/service.ts';
import { uniform } from '../lib/data.ts';
import type { Filled } from '../lib/fixture.ts';
import { sampleOf, timed } from '../lib/measure.ts';
import { askOnce, startChild } from '../lib/process.ts';
import { digits } from '../lib/report.ts';
import { atMost, short, type Figure, type Row } from '../lib/row.ts';
import type { Usage } from '../lib/usage.ts';

const ROUNDS = 3;
const SECONDS = 5;
const BATCH = 1000;
const UPLOADS_AT_ONCE = 4;
const RECORDS_A_SECOND = 100_000;
const PAGES_A_SECOND = 500;
const LIMIT = 100;
const NEWLINE = 10;

/** What a start costs. */
interface Opened {
  readonly startMs: number;
  /** MB, once pages were read. */
  readonly memory: number;
}

/** What it does under load, and what that costs. */
interface Loaded {
  /** ms. */
  readonly delayP99: number;
  /** % of a core. */
  readonly cpu: number;
  /** What of the steady load was answered, a second. */
  readonly written: number;
  readonly pages: number;
  /** ms, and records a second, while all of them are exported. */
  readonly exportDelayP99: number;
  readonly exported: number;
}

export const service: Row = {
  name: 'service',
  title: 'The whole service: start, memory, uploads and pages at the same time',
  async run(bench): Promise<Figure[]> {
    const empty: Opened[] = [];
    const filled: (Opened & Loaded)[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      empty.push(await runOf(await bench.copyOfFilled(0), 0, ({ opened }) => Promise.resolve(opened)));
      const copy = await bench.copyOfFilled(bench.records);
      filled.push(
        await runOf(copy, bench.records, async (run) => ({
          ...run.opened,
          ...(await exporting(run, bench.records)),
          ...(await loaded(run)),
        })),
      );
    }
    const of = <Part extends string>(rounds: readonly Record<Part, number>[], part: Part) =>
      sampleOf(rounds.map((one) => one[part]));
    const [memory, without] = [of(filled, 'memory'), of(empty, 'memory')];
    const more = sampleOf(filled.map((one, i) => one.memory - (empty[i]?.memory ?? without.median)));
    const delay = of(filled, 'delayP99');
    const exportDelay = of(filled, 'exportDelayP99');
    const sizes = `${short(bench.records)} records`;
    const under = `${short(RECORDS_A_SECOND)} records/s and ${PAGES_A_SECOND} pages/s over HTTP`;
    const [written, pages] = [of(filled, 'written').median, of(filled, 'pages').median];
    bench.note(
      `Of ${under}, ${digits(written)} and ${digits(pages)} were answered; uploads of ${BATCH} records are parsed whole.`,
    );
    // A service that cannot keep up shows a short delay over less work.
    const keptUp = written >= RECORDS_A_SECOND * 0.95 && pages >= PAGES_A_SECOND * 0.95;
    return [
      {
        figure: `start of the service, ${sizes}`,
        measured: of(filled, 'startMs'),
        unit: 'ms',
        peer: { name: 'an empty one', measured: of(empty, 'startMs') },
      },
      {
        figure: `memory of the service with ${sizes} open, above an empty one's`,
        measured: more,
        unit: 'MB',
        must: atMost(more.median, 25, '≤ 25 MB'),
        peer: { name: 'an empty one, in all', measured: without },
      },
      { figure: `memory of the service with ${sizes} open, in all`, measured: memory, unit: 'MB' },
      {
        figure: `event-loop delay p99 of the service, ${under}`,
        measured: delay,
        unit: 'ms',
        must: atMost(keptUp ? delay.median : Infinity, 10, '≤ 10 ms'),
      },
      { figure: `processor time of the service, ${under}`, measured: of(filled, 'cpu'), unit: '% of a core' },
      {
        figure: `event-loop delay p99 of the service, exporting ${sizes}`,
        measured: exportDelay,
        unit: 'ms',
        must: atMost(exportDelay.median, 10, '≤ 10 ms'),
      },
      { figure: `export of ${sizes} as NDJSON`, measured: of(filled, 'exported'), unit: 'records/s' },
    ];
  },
};

/** A service that runs, has a device, and has been read from. */
interface Run {
  readonly url: string;
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of pages anywhere. */
  readonly pageUrls: readonly string[];
  /** Of all records. */
  readonly exportUrl: string;
  readonly opened: Opened;
  readonly usage: () => Promise<Usage>;
}

async function runOf<T>(
  { directory, project, device, token }: Filled,
  records: number,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const child = startChild('service', ['--expose-gc']);
  const usage = () => child.ask<Usage>({ usage: true });
  try {
    const { url, key, startMs } = await child.ask<Started>({ start: { directory } });
    const headers = { authorization: `Bearer ${key}` };
    const data = `${url}/v2/projects/${project}/devices/${device}/data?limit=${LIMIT}&range=all&page=`;
    const random = uniform(17);
    const pageUrls = Array.from(
      { length: 200 },
      () => `${data}${1 + Math.floor((random() * records) / LIMIT)}`,
    );
    for (const page of pageUrls) await (await fetch(page, { headers })).arrayBuffer();
    const { rss } = await usage();
    const exportUrl = `${url}/_local/v1/projects/${project}/devices/${device}/records?format=ndjson`;
    return await work({
      url,
      token,
      headers,
      pageUrls,
      exportUrl,
      usage,
      opened: { startMs, memory: rss / 1e6 },
    });
  } finally {
    await child.stop();
  }
}

async function exporting(
  { exportUrl, headers, usage }: Run,
  records: number,
): Promise<Pick<Loaded, 'exportDelayP99' | 'exported'>> {
  await usage();
  let lines = 0;
  const ms = await timed(async () => {
    const { body } = await fetch(exportUrl, { headers });
    for await (const piece of body ?? []) lines += linesIn(piece as Uint8Array);
  });
  if (lines !== records) throw new Error(`${lines} of ${records} records were exported.`);
  const { delayP99 } = await usage();
  return { exportDelayP99: delayP99, exported: (records * 1000) / ms };
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

/** A steady load of uploads and pages. */
async function loaded({
  url,
  token,
  headers,
  pageUrls,
  usage,
}: Run): Promise<Omit<Loaded, 'exportDelayP99' | 'exported'>> {
  const upload: Production = {
    url,
    token,
    form: 'json',
    batch: BATCH,
    seconds: SECONDS,
    connections: UPLOADS_AT_ONCE,
    from: Date.now(),
    rate: RECORDS_A_SECOND,
  };
  const reading: Load = { urls: pageUrls, headers, connections: 8, seconds: SECONDS, rate: PAGES_A_SECOND };
  await usage();
  const [read, written] = await Promise.all([
    askOnce<Answered>('load', reading),
    askOnce<Produced>('producer', upload),
  ]);
  const { delayP99, cpuSeconds } = await usage();
  if (read.failed > 0) throw new Error(`${read.failed} pages were not answered with 200.`);
  return {
    delayP99,
    cpu: (cpuSeconds / SECONDS) * 100,
    written: written.perSecond,
    pages: read.rate,
  };
}
