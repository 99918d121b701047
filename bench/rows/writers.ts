import { sensorSource } from '../lib/data.ts';
import { inTurn, timed } from '../lib/measure.ts';
import { atLeast, timesMore, type Bench, type Figure, type Row } from '../lib/row.ts';
import { openLmdb } from '../peers/lmdb.ts';
import { openRawDisk } from '../peers/raw-disk.ts';
import { openSqlite } from '../peers/sqlite.ts';

const ROUNDS = 5;
const PER_WRITER = 150;
/** SQLite has one writer at a time, so that many writers are as many transactions, one after another. */
const ONE_BY_ONE = 600;

/** Records a second. */
async function ours(bench: Bench, writers: number): Promise<number> {
  const store = await bench.openStore(await bench.folder());
  const sources = Array.from({ length: writers }, (_, n) => sensorSource(n)(PER_WRITER));
  const ms = await timed(() =>
    Promise.all(
      sources.map(async (records, n) => {
        for (const record of records) await store.append(`device-${n}`, [record]);
      }),
    ),
  );
  await store.close();
  return (writers * PER_WRITER * 1000) / ms;
}

async function sqlite(bench: Bench): Promise<number> {
  const database = openSqlite(await bench.madeFolder(), 'wide');
  const records = sensorSource()(ONE_BY_ONE);
  const ms = await timed(() => {
    for (const record of records) database.insert([record]);
  });
  database.close();
  return (ONE_BY_ONE * 1000) / ms;
}

/** lmdb too joins the transactions that wait. Records a second. */
async function lmdb(bench: Bench, writers: number): Promise<number> {
  const database = openLmdb(await bench.madeFolder());
  const sources = Array.from({ length: writers }, (_, n) => sensorSource(n)(PER_WRITER));
  const ms = await timed(() =>
    Promise.all(
      sources.map(async (records) => {
        for (const record of records) await database.insert([record]);
      }),
    ),
  );
  await database.close();
  return (writers * PER_WRITER * 1000) / ms;
}

async function disk(bench: Bench): Promise<number> {
  const raw = openRawDisk(await bench.madeFolder(), 4096);
  const ms = await timed(() => {
    for (let n = 0; n < ONE_BY_ONE; n++) raw.write();
  });
  raw.close();
  return (ONE_BY_ONE * 1000) / ms;
}

export const writers: Row = {
  name: 'writers',
  title: 'Many writers, one record each',
  async run(bench): Promise<Figure[]> {
    const measured = await inTurn(ROUNDS, [
      () => ours(bench, 64),
      () => ours(bench, 256),
      () => sqlite(bench),
      () => disk(bench),
      () => lmdb(bench, 64),
    ]);
    const [of64, of256, ofSqlite, ofDisk, ofLmdb] = measured;
    if (!of64 || !of256 || !ofSqlite || !ofDisk || !ofLmdb) return [];
    const against = (writersCount: number, sample: typeof of64, limit: number): Figure => {
      const ratio = timesMore(sample, ofSqlite);
      return {
        figure: `${writersCount} writers, one record each`,
        measured: sample,
        unit: 'records/s',
        must: atLeast(ratio, limit, `≥ ${limit}×`),
        peer: { name: 'node:sqlite, wide', measured: ofSqlite },
        ratio,
      };
    };
    return [
      against(64, of64, 25),
      against(256, of256, 60),
      {
        figure: '64 writers, one record each',
        measured: of64,
        unit: 'records/s',
        peer: { name: 'lmdb, 64 writers', measured: ofLmdb },
        ratio: timesMore(of64, ofLmdb),
      },
      {
        figure: '256 writers against the disk alone',
        measured: of256,
        unit: 'records/s',
        peer: { name: 'fdatasync of 4 KiB, one after another', measured: ofDisk },
        ratio: timesMore(of256, ofDisk),
      },
    ];
  },
};
