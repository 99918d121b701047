import { FIRST_TIME, sensorSource } from '../lib/data.ts';
import { eachTimed, sampleOf } from '../lib/measure.ts';
import type { ZoomMessage, Zoomed } from '../children/zoom.ts';
import { askOnce } from '../lib/process.ts';
import { atMost, short, timesLess, type Figure, type Row } from '../lib/row.ts';
import { openDuckDb } from '../peers/duckdb.ts';

const WIDTH = 1200;
const ROUNDS = 5;
const SECOND = 1_000_000;

export const series: Row = {
  name: 'series',
  title: 'Zoom windows of a chart',
  async run(bench): Promise<Figure[]> {
    const { data, device } = await bench.filled(bench.records);
    // In a process of its own, as the service is: what else this one holds would make it wait for the collector.
    const asked: ZoomMessage = { directory: data, device, records: bench.records, rounds: ROUNDS };
    const { p99, whole } = await askOnce<Zoomed>('zoom', asked);

    const database = await openDuckDb(await bench.madeFolder());
    const next = sensorSource();
    const inDuckDb = Math.min(1_000_000, bench.records);
    for (let n = 0; n < inDuckDb; n += 50_000) await database.insert(next(50_000));
    const lastOfPeer = FIRST_TIME + inDuckDb * SECOND;
    const duck = await eachTimed(7, 2, () => database.series(FIRST_TIME, lastOfPeer, WIDTH));
    database.close();

    const measured = sampleOf(p99);
    const overview = sampleOf(whole);
    const peer = sampleOf(duck.map((us) => us / 1000));
    return [
      {
        figure: `any zoom window of ${short(bench.records)}, p99`,
        measured,
        unit: 'ms',
        must: atMost(measured.median, 15, '≤ 15 ms'),
      },
      {
        figure: `overview of ${short(bench.records)}`,
        measured: overview,
        unit: 'ms',
        peer: { name: `DuckDB, ${short(inDuckDb)}`, measured: peer },
        ratio: timesLess(overview, peer),
      },
    ];
  },
};
