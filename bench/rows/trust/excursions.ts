import type { ExcursionsMeasured, ExcursionsMessage } from '../../children/excursions.ts';
import { FIRST_TIME, sensorSource } from '../../lib/data.ts';
import { eachTimed, sampleOf } from '../../lib/measure.ts';
import { askOnce } from '../../lib/process.ts';
import { atMost, short, timesLess, type Figure, type Row } from '../../lib/row.ts';
import { openDuckDb } from '../../peers/duckdb.ts';

const ROUNDS = 5;
const SECOND = 1_000_000;
const PAUSE = 10 * SECOND;

export const excursions: Row = {
  name: 'excursions',
  title: 'Excursions of a key',
  async run(bench): Promise<Figure[]> {
    const { records } = bench;
    const { data, device } = await bench.filled(records);
    const ofPeer = Math.min(1_000_000, records);
    // Up to just before the last record: until when the one before it holds is known.
    const part = { start: FIRST_TIME, end: FIRST_TIME + (ofPeer - 1) * SECOND - 1 };
    const asked: ExcursionsMessage = { directory: data, device, records, part, pause: PAUSE, rounds: ROUNDS };
    const ours = await askOnce<ExcursionsMeasured>('excursions', asked);

    const { low, high } = ours;
    const database = await openDuckDb(await bench.madeFolder());
    const next = sensorSource();
    for (let n = 0; n < ofPeer; n += 50_000) await database.insert(next(Math.min(50_000, ofPeer - n)));
    const question = { ...part, pause: PAUSE, low, high };
    const theirs = await database.excursions(question);
    if (theirs.outside !== ours.outside || theirs.excursions !== ours.excursions)
      throw new Error(
        `DuckDB has ${theirs.excursions} excursions of ${theirs.outside} µs, and ours are ${ours.excursions} of ${ours.outside} µs.`,
      );
    const duck = await eachTimed(5, 1, () => database.excursions(question));
    database.close();

    const [first, again, ofPart] = [ours.first, ours.again, ours.part].map(sampleOf);
    const [entered, corrected] = [ours.corrected, ours.correctedAgain].map(sampleOf);
    const peer = sampleOf(duck.map((us) => us / 1000));
    return [
      {
        figure: `excursions of ${short(records)} readings, by a store just opened`,
        measured: first!,
        unit: 'ms',
        must: atMost(first!.median, 200, '≤ 200 ms'),
      },
      { figure: 'the same excursions, asked again', measured: again!, unit: 'ms' },
      {
        figure: `excursions of ${short(records)} readings, calibrated, 10 flags, a shifted day, entered just now`,
        measured: entered!,
        unit: 'ms',
        must: atMost(entered!.median, 200, '≤ 200 ms'),
      },
      {
        figure: 'the same excursions through corrections, asked again',
        measured: corrected!,
        unit: 'ms',
        peer: { name: 'as stored', measured: again! },
        ratio: timesLess(corrected!, again!),
      },
      {
        figure: `excursions of ${short(ofPeer)} readings, asked again`,
        measured: ofPart!,
        unit: 'ms',
        peer: { name: `DuckDB, window functions, ${short(ofPeer)}`, measured: peer },
        ratio: timesLess(ofPart!, peer),
      },
    ];
  },
};
