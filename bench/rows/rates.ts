import type { RatesMeasured, RatesMessage } from '../children/rates.ts';
import { sensorSource } from '../lib/data.ts';
import { eachTimed, sampleOf } from '../lib/measure.ts';
import { askOnce } from '../lib/process.ts';
import { atLeast, short, timesLess, type Figure, type Row } from '../lib/row.ts';
import { openDuckDb } from '../peers/duckdb.ts';

const ROUNDS = 5;
const BATCH = 50_000;

/** Every record is read: no index tells how a counter went on inside a column of pixels. */
export const rates: Row = {
  name: 'rates',
  title: 'Differences per time',
  async run(bench): Promise<Figure[]> {
    const { records } = bench;
    const { data, device } = await bench.filled(records);
    const ofPeer = Math.min(1_000_000, records);
    const asked: RatesMessage = { directory: data, device, records, part: ofPeer, rounds: ROUNDS };
    const ours = await askOnce<RatesMeasured>('rates', asked);

    const database = await openDuckDb(await bench.madeFolder());
    const next = sensorSource();
    for (let n = 0; n < ofPeer; n += BATCH) await database.insert(next(Math.min(BATCH, ofPeer - n)));
    const theirs = await database.rates();
    const far = theirs.map((value, place) => Math.abs(value - (ours.told[place] ?? NaN)));
    if (!far.every((distance) => distance < 1e-6))
      throw new Error(
        `DuckDB has ${theirs.join(', ')} differences, least, greatest; ours are ${ours.told.join(', ')}.`,
      );
    const duck = await eachTimed(ROUNDS, 1, () => database.rates());
    database.close();

    const [whole, part] = [sampleOf(ours.whole), sampleOf(ours.part)];
    const speed = sampleOf(ours.whole.map((ms) => (records * 1000) / ms));
    const peer = sampleOf(duck.map((us) => us / 1000));
    return [
      {
        figure: `differences per time of ${short(records)} records, as a picture`,
        measured: whole,
        unit: 'ms',
      },
      {
        figure: `the same, records a second`,
        measured: speed,
        unit: 'records/s',
        must: atLeast(speed.median, 2_000_000, '≥ 2 M/s'),
      },
      {
        figure: `differences per time of ${short(ofPeer)} records`,
        measured: part,
        unit: 'ms',
        peer: { name: `DuckDB, lag over a window, ${short(ofPeer)}`, measured: peer },
        ratio: timesLess(part, peer),
      },
    ];
  },
};
