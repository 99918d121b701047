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
/** More than a device's store keeps as they were written, so that in turn none is a kept one. */
const IN_TURN = 32;

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
    const inTurn = (n: number) => (n % IN_TURN) * LIMIT;
    const ofSmall = await medians(CALLS, 3000, (n) =>
      smallStore.page(small.device, { offset: inTurn(n), limit: LIMIT }),
    );
    const first = await medians(CALLS, 3000, (n) => pageAt(inTurn(n)));
    const again = await medians(CALLS, 3000, () => pageAt(0));
    const random = uniform(11);
    const depths = Array.from(
      { length: CALLS },
      () => Math.floor((random() * (bench.records - LIMIT)) / LIMIT) * LIMIT,
    );
    const anywhere = await medians(CALLS, 200, (n) => pageAt(depths[n % CALLS] ?? 0));
    await smallStore.close();

    const deep = Math.min(DEEP_PAGE, Math.floor(bench.records / LIMIT)) * LIMIT;
    const ourDeep = await medians(500, 100, (n) => pageAt(Math.max(0, deep - LIMIT - inTurn(n))));
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
        figure: `one of the first ${IN_TURN} pages of ${LIMIT}, ${sizes}`,
        measured: first,
        unit: 'µs',
        must: atMost(first.median, 40, '≤ 40 µs'),
        peer: { name: 'node:sqlite, wide, page 1', measured: sqliteFirst },
        ratio: timesLess(first, sqliteFirst),
      },
      { figure: 'page 1 again, where nothing came since', measured: again, unit: 'µs' },
      {
        figure: `one of them at ${sizes} against at 10 k`,
        measured: first,
        unit: 'µs',
        must: atMost(first.median / ofSmall.median, 1.15, '≤ 1.15×'),
        peer: { name: 'ours, 10 k records', measured: ofSmall },
        ratio: timesLess(first, ofSmall),
      },
      {
        figure: `any page against one of them, ${sizes}`,
        measured: anywhere,
        unit: 'µs',
        must: atMost(anywhere.median / first.median, 1.5, '≤ 1.5×'),
        peer: { name: 'ours, one of the first', measured: first },
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
