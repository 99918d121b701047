import type { Lens, RecordStore, Viewed } from '../../../electron/core/store/store.ts';
import { FIRST_TIME, uniform } from '../../lib/data.ts';
import { lensOf } from '../../lib/lens.ts';
import { eachTimed, inTurn, percentile, sampleOf, type Sample } from '../../lib/measure.ts';
import { atMost, short, timesLess, type Figure, type Row } from '../../lib/row.ts';

const SECOND = 1_000_000;
const KEY = 'temperature';
const LIMIT = 100;
const WIDTH = 1200;
const ROUNDS = 9;
const CALLS = 1000;
const WINDOWS = 60;

export const corrections: Row = {
  name: 'corrections',
  title: 'Records through corrections, beside the same as stored',
  async run(bench): Promise<Figure[]> {
    const { data, device } = await bench.filled(bench.records);
    const store = await bench.openStore(data);
    const last = FIRST_TIME + bench.records * SECOND;
    const through = lensOf(last);
    const views: readonly Viewed[] = [device, { device, lens: through }];
    const random = uniform(17);
    const offsets = Array.from({ length: CALLS }, () => Math.floor(random() * (bench.records - LIMIT)));
    const windows = Array.from({ length: WINDOWS }, () => {
      const span = Math.floor((last - FIRST_TIME) * 1000 ** -random());
      const start = FIRST_TIME + Math.floor(random() * (last - FIRST_TIME - span));
      return { start, end: start + span };
    });
    const all = { start: FIRST_TIME, end: last };
    const series = (of: Viewed, range: typeof all) => store.series(of, { range, keys: [KEY], width: WIDTH });
    const pages = await beside(views, async (of) =>
      percentile(
        await eachTimed(CALLS, 20, (n) => store.page(of, { offset: offsets[n] ?? 0, limit: LIMIT })),
        0.5,
      ),
    );
    const overviews = await beside(
      views,
      async (of) => percentile(await eachTimed(9, 1, () => series(of, all)), 0.5) / 1000,
    );
    const zooms = await beside(
      views,
      async (of) => percentile(await eachTimed(WINDOWS, 3, (n) => series(of, windows[n] ?? all)), 0.5) / 1000,
    );
    // A lens that no read has seen: what a correction costs that was entered or changed just now.
    const entered = sampleOf(
      (await eachTimed(ROUNDS, 1, () => series({ device, lens: lensOf(last) }, all))).map((us) => us / 1000),
    );
    const joined = await measureJoined(store, device, last, offsets);
    await store.close();
    const sizes = short(bench.records);
    const line = (figure: string, unit: string, [raw, corrected]: readonly [Sample, Sample]): Figure => ({
      figure: `${figure} of ${sizes}, calibrated, 10 flags, a shifted day`,
      measured: corrected,
      unit,
      must: atMost(corrected.median / raw.median, 1.15, '≤ 1.15×'),
      peer: { name: 'as stored', measured: raw },
      ratio: timesLess(corrected, raw),
    });
    return [
      line('any page', 'µs', pages),
      line('overview', 'ms', overviews),
      line('any zoom window', 'ms', zooms),
      {
        figure: `overview of ${sizes} through corrections entered just now`,
        measured: entered,
        unit: 'ms',
        must: atMost(entered.median, 100, '≤ 100 ms'),
      },
      ...joined,
    ];
  },
};

/** Two halves of as many records each: the device behind itself, cut in the middle. */
async function measureJoined(
  store: RecordStore,
  device: string,
  last: number,
  offsets: readonly number[],
): Promise<Figure[]> {
  const lens = (): Lens => ({ corrections: [], formers: [{ device, until: last, lens: null }] });
  const viewed = { device, lens: lens() };
  const join = sampleOf(
    (await eachTimed(ROUNDS, 1, () => store.within({ device, lens: lens() }, {}))).map((us) => us / 1000),
  );
  const shifted: Viewed = {
    device,
    lens: {
      corrections: [{ kind: 'time', from: FIRST_TIME, to: last, by: { shift: last - FIRST_TIME + SECOND } }],
      formers: viewed.lens.formers,
    },
  };
  const [raw, joined] = await beside([device, shifted], async (of) =>
    percentile(
      await eachTimed(CALLS, 20, (n) => store.page(of, { offset: offsets[n] ?? 0, limit: LIMIT })),
      0.5,
    ),
  );
  return [
    {
      figure: 'two such devices joined',
      measured: join,
      unit: 'ms',
      must: atMost(join.median, 10, '≤ 10 ms'),
    },
    {
      figure: 'any page of two joined',
      measured: joined,
      unit: 'µs',
      must: atMost(joined.median / raw.median, 1.15, '≤ 1.15×'),
      peer: { name: 'as stored', measured: raw },
      ratio: timesLess(joined, raw),
    },
  ];
}

async function beside(
  [raw, corrected]: readonly Viewed[],
  measure: (of: Viewed) => Promise<number>,
): Promise<readonly [Sample, Sample]> {
  const [first, second] = await inTurn(ROUNDS, [() => measure(raw!), () => measure(corrected!)]);
  return [first!, second!];
}
