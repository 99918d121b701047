import { eachTimed, percentile, sampleOf, type Sample } from '../lib/measure.ts';
import { sensorSource, uniform } from '../lib/data.ts';
import { atLeast, atMost, short, timesLess, type Figure, type Row } from '../lib/row.ts';
import { openSqlite } from '../peers/sqlite.ts';

const LIMIT = 100;
const ROUNDS = 7;
const CALLS = 2000;
/** SQLite holds no more than this in the default run: filling it takes most of the time. */
const SQLITE_RECORDS = 1_000_000;
const DEEP_PAGE = 5000;

/** Medians of several rounds, µs. */
async function medians(calls: number, warmUp: number, call: (n: number) => unknown): Promise<Sample> {
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    found.push(percentile(await eachTimed(calls, round === 0 ? warmUp : 20, call), 0.5));
  return sampleOf(found);
}

export const pages: Row = {
  name: 'pages',
  title: 'Pages of 100 records to JSON bytes',
  async run(bench): Promise<Figure[]> {
    const small = await bench.filled(10_000);
    const large = await bench.filled(bench.records);
    const [smallStore, store] = [await bench.openStore(small.data), await bench.openStore(large.data)];
    const pageAt = (offset: number) => store.page(large.device, { offset, limit: LIMIT });
    const ofSmall = await medians(CALLS, 3000, () =>
      smallStore.page(small.device, { offset: 0, limit: LIMIT }),
    );
    const first = await medians(CALLS, 3000, () => pageAt(0));
    const random = uniform(11);
    const depths = Array.from(
      { length: CALLS },
      () => Math.floor((random() * (bench.records - LIMIT)) / LIMIT) * LIMIT,
    );
    const anywhere = await medians(CALLS, 200, (n) => pageAt(depths[n % CALLS] ?? 0));
    await smallStore.close();

    const deep = Math.min(DEEP_PAGE, Math.floor(bench.records / LIMIT)) * LIMIT;
    const ourDeep = await medians(500, 100, () => pageAt(deep - LIMIT));
    await store.close();
    const database = openSqlite(await bench.madeFolder(), 'wide');
    const next = sensorSource();
    const inSqlite = Math.min(SQLITE_RECORDS, bench.records);
    for (let n = 0; n < inSqlite; n += 10_000) database.insert(next(10_000));
    const sqliteFirst = await medians(200, 50, () => database.page(0, LIMIT));
    const sqliteDeep = await medians(5, 1, () => database.page(Math.min(deep, inSqlite) - LIMIT, LIMIT));
    database.close();

    const sizes = `${short(bench.records)} records`;
    const deepRatio = timesLess(ourDeep, sqliteDeep);
    return [
      {
        figure: `page 1 of ${LIMIT}, ${sizes}`,
        measured: first,
        unit: 'µs',
        must: atMost(first.median, 40, '≤ 40 µs'),
        peer: { name: 'node:sqlite, wide', measured: sqliteFirst },
        ratio: timesLess(first, sqliteFirst),
      },
      {
        figure: `page 1 at ${sizes} against at 10 k`,
        measured: first,
        unit: 'µs',
        must: atMost(first.median / ofSmall.median, 1.15, '≤ 1.15×'),
        peer: { name: 'ours, 10 k records', measured: ofSmall },
        ratio: timesLess(first, ofSmall),
      },
      {
        figure: `any page against page 1, ${sizes}`,
        measured: anywhere,
        unit: 'µs',
        must: atMost(anywhere.median / first.median, 1.5, '≤ 1.5×'),
        peer: { name: 'ours, page 1', measured: first },
        ratio: timesLess(anywhere, first),
      },
      {
        figure: `page ${short(deep / LIMIT)} of ${short(inSqlite)}`,
        measured: ourDeep,
        unit: 'µs',
        must: atLeast(deepRatio, 100, '≥ 100×'),
        peer: { name: 'node:sqlite, OFFSET', measured: sqliteDeep },
        ratio: deepRatio,
      },
    ];
  },
};
