import type { StoredRecord } from '../../electron/core/store/store.ts';
import { sensorSource } from '../lib/data.ts';
import { inTurn, timed } from '../lib/measure.ts';
import { atLeast, timesMore, type Bench, type Figure, type Row } from '../lib/row.ts';
import { openDuckDb } from '../peers/duckdb.ts';
import { openLmdb } from '../peers/lmdb.ts';
import { openBetterSqlite, openSqlite } from '../peers/sqlite.ts';

const BATCH = 1000;
const BATCHES = 300;
const ROUNDS = 5;

/** Something that stores a batch durably. */
interface Target {
  insert(records: readonly StoredRecord[]): unknown;
  close(): unknown;
}

interface Contender {
  readonly name: string;
  readonly open: (bench: Bench) => Promise<Target>;
  /** How many times faster ours must be. */
  readonly limit?: number;
}

const ours: Contender = {
  name: 'ours',
  async open(bench) {
    const store = await bench.openStore(await bench.folder());
    return { insert: (records) => store.append('bench', records), close: () => store.close() };
  },
};

const peers: readonly Contender[] = [
  {
    name: 'node:sqlite, wide',
    limit: 3,
    open: async (bench) => openSqlite(await bench.madeFolder(), 'wide'),
  },
  {
    name: 'node:sqlite, json',
    limit: 6,
    open: async (bench) => openSqlite(await bench.madeFolder(), 'json'),
  },
  { name: 'lmdb', open: async (bench) => openLmdb(await bench.madeFolder()) },
  { name: 'DuckDB, wide', open: async (bench) => openDuckDb(await bench.madeFolder()) },
];

async function betterSqlite(bench: Bench): Promise<readonly Contender[]> {
  const open = async () => openBetterSqlite(await bench.madeFolder(), 'wide');
  const probe = await open();
  if (!probe) {
    bench.note('better-sqlite3 could not be built here.');
    return [];
  }
  probe.close();
  return [{ name: 'better-sqlite3, wide', open: async () => (await open()) ?? probe }];
}

export const ingest: Row = {
  name: 'ingest',
  title: `Durable ingest, batches of ${BATCH}`,
  async run(bench): Promise<Figure[]> {
    const next = sensorSource();
    const batches = Array.from({ length: BATCHES }, () => next(BATCH));
    const others = [...peers, ...(await betterSqlite(bench))];
    /** Records a second, every batch on disk before the next begins. */
    const rateOf = (contender: Contender) => async () => {
      const target = await contender.open(bench);
      const ms = await timed(async () => {
        for (const batch of batches) await target.insert(batch);
      });
      await target.close();
      return (BATCH * BATCHES * 1000) / ms;
    };
    const [measured, ...ofOthers] = await inTurn(ROUNDS, [ours, ...others].map(rateOf));
    if (!measured) return [];
    return others.flatMap(({ name, limit }, i) => {
      const peer = ofOthers[i];
      if (!peer) return [];
      const ratio = timesMore(measured, peer);
      const must = limit === undefined ? {} : { must: atLeast(ratio, limit, `≥ ${limit}×`) };
      return {
        figure: `durable ingest, batches of ${BATCH}`,
        measured,
        unit: 'records/s',
        peer: { name, measured: peer },
        ratio,
        ...must,
      };
    });
  },
};
