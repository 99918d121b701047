import { FIRST_TIME, sensorSource, uniform } from '../lib/data.ts';
import { eachTimed, percentile, sampleOf } from '../lib/measure.ts';
import { atMost, short, timesLess, type Figure, type Row } from '../lib/row.ts';
import { openDuckDb } from '../peers/duckdb.ts';

const WIDTH = 1200;
const WINDOWS = 400;
const ROUNDS = 5;
const SECOND = 1_000_000;

export const series: Row = {
  name: 'series',
  title: 'Zoom windows of a chart',
  async run(bench): Promise<Figure[]> {
    const { data, device } = await bench.filled(bench.records);
    const store = await bench.openStore(data);
    const end = FIRST_TIME + bench.records * SECOND;
    const random = uniform(3);
    // Widths from all of it down to a thousandth, anywhere.
    const windows = Array.from({ length: WINDOWS }, () => {
      const span = Math.floor((end - FIRST_TIME) * 1000 ** -random());
      const start = FIRST_TIME + Math.floor(random() * (end - FIRST_TIME - span));
      return { start, end: start + span };
    });
    const query = (range: { start: number; end: number }) =>
      store.series(device, { range, keys: ['temperature'], width: WIDTH });
    const p99: number[] = [];
    const whole: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      p99.push(
        percentile(
          await eachTimed(WINDOWS, 20, (n) => query(windows[n % WINDOWS] ?? { start: FIRST_TIME, end })),
          0.99,
        ) / 1000,
      );
      whole.push(percentile(await eachTimed(20, 2, () => query({ start: FIRST_TIME, end })), 0.5) / 1000);
    }
    await store.close();

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
