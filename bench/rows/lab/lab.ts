import { FIRST_TIME, SENSOR_KEYS, sensorSource } from '../../lib/data.ts';
import { openLabFixture, startPostgresOfBench, type LabFixture } from '../../lib/lab.ts';
import type { CredentialsFootprint } from '../../children/credentials.ts';
import { eachTimed, rounds, sampleOf, timed, type Sample } from '../../lib/measure.ts';
import { askOnce } from '../../lib/process.ts';
import {
  atLeast,
  atMost,
  short,
  timesLess,
  timesMore,
  type Bench,
  type Figure,
  type Row,
} from '../../lib/row.ts';
import { openRowARecord } from '../../peers/row-a-record.ts';
import { writes } from './lab-writes.ts';

/* The record store over PostgreSQL, beside a row a record in the same server and beside a bare round trip to it. */

const DEVICE = '0d4e5a10-6c5b-4c7e-9f0e-5e1c2d3b4a59';
const PAGE = 100;
const WIDTH = 1200;
const SECOND = 1_000_000;
/** A row a record takes too long to make more of. */
const MOST_ROWS = 1_000_000;
const ROUNDS = 5;

const inMs = (us: readonly number[]) => sampleOf(us.map((one) => one / 1000));

export const lab: Row = {
  name: 'lab',
  title: 'The store over PostgreSQL',
  async run(bench): Promise<Figure[]> {
    const postgres = await startPostgresOfBench();
    try {
      const fixture = await openLabFixture(await postgres.database());
      const figures = [
        ...(await filling(bench, fixture)),
        ...(await pages(bench, fixture)),
        ...(await charts(bench, fixture)),
        ...(await removals(bench, fixture)),
        ...(await writes(bench, fixture)),
        ...(await credentials(bench)),
      ];
      await fixture.close();
      return figures;
    } finally {
      await postgres.stop();
    }
  },
};

/** What a service takes up to let devices in without asking for their tokens. */
async function credentials(bench: Bench): Promise<Figure[]> {
  const devices = bench.isSmall ? 10_000 : 1_000_000;
  const resident: number[] = [];
  const heap = await rounds(bench.isSmall ? 1 : 3, async () => {
    const footprint = await askOnce<CredentialsFootprint>('credentials', { devices }, ['--expose-gc']);
    if (footprint.known !== devices) throw new Error(`Of ${devices} devices ${footprint.known} are known.`);
    resident.push(footprint.resident / 1e6);
    return footprint.heap / 1e6;
  });
  return [
    {
      figure: `memory of ${short(devices)} devices whose tokens a service knows`,
      measured: heap,
      unit: 'MB',
      must: atMost(heap.median, 200, '≤ 200 MB'),
      peer: { name: 'its process, once they came all at once', measured: sampleOf(resident) },
    },
  ];
}

/** The large device, and what it takes up. */
async function filling(bench: Bench, fixture: LabFixture): Promise<Figure[]> {
  const { records } = bench;
  const empty = await fixture.size();
  const { store, close } = await fixture.open();
  const next = sensorSource();
  const batch = await store.batch(DEVICE);
  const ms = await timed(async () => {
    for (let n = 0; n < records; n += 10_000) await batch.add(next(Math.min(10_000, records - n)));
    await batch.commit();
  });
  await close();
  const bytes = sampleOf([((await fixture.size()) - empty) / records]);
  const peer = await openRowARecord(fixture.url);
  const rows = Math.min(records, MOST_ROWS);
  const again = sensorSource();
  const peerMs = await timed(async () => {
    for (let n = 0; n < rows; n += 10_000) await peer.insert(DEVICE, again(Math.min(10_000, rows - n)));
  });
  const peerBytes = sampleOf([(await peer.size()) / rows]);
  await peer.close();
  const rate = sampleOf([(records * 1000) / ms]);
  const peerRate = sampleOf([(rows * 1000) / peerMs]);
  return [
    {
      figure: `an import of ${short(records)} into PostgreSQL`,
      measured: rate,
      unit: 'records/s',
      peer: { name: 'a row a record', measured: peerRate },
      ratio: timesMore(rate, peerRate),
    },
    {
      figure: 'bytes a record in PostgreSQL, all tables and indexes, sensor data',
      measured: bytes,
      unit: 'bytes',
      must: atMost(bytes.median, 5, '≤ 5.0'),
      peer: { name: 'a row a record', measured: peerBytes },
      ratio: timesLess(bytes, peerBytes),
    },
  ];
}

async function pages(bench: Bench, fixture: LabFixture): Promise<Figure[]> {
  const { records } = bench;
  const roundTrip = inMs(await eachTimed(2000, 200, () => fixture.roundTrip()));
  const { store, close } = await fixture.open();
  const page = async (offset: number) => {
    const { total } = await store.page(DEVICE, { offset, limit: PAGE });
    if (total !== records) throw new Error(`A page says that there are ${total} records.`);
  };
  const first = inMs(await eachTimed(1000, 50, () => page(0)));
  const step = Math.floor(records / 1021);
  // Each lies in a block that nobody has read yet.
  const anywhere = inMs(await eachTimed(1000, 10, (n) => page(((n * 389) % 1021) * step)));
  await close();
  const cold: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { store: fresh, close: end } = await fixture.open();
    await fixture.warm(fresh);
    cold.push(await timed(() => fresh.page(DEVICE, { offset: Math.floor(records / 2), limit: PAGE })));
    await end();
  }
  const rows = Math.min(records, MOST_ROWS);
  const peer = await openRowARecord(fixture.url);
  const byRows = inMs(await eachTimed(5, 1, () => peer.page(DEVICE, Math.floor(rows / 2), PAGE)));
  await peer.close();
  const against = (figure: string, measured: Sample, limit: number): Figure => ({
    figure,
    measured,
    unit: 'ms',
    must: atMost(measured.median, limit * roundTrip.median, `≤ ${limit} round trips`),
    peer: { name: 'a bare round trip', measured: roundTrip },
    ratio: timesLess(measured, roundTrip),
  });
  return [
    against(`PostgreSQL, page 1 of ${PAGE}, ${short(records)} records`, first, 5),
    against(
      `PostgreSQL, page of ${PAGE} at any depth of ${short(records)}, its block not cached`,
      anywhere,
      8,
    ),
    {
      figure: `PostgreSQL, page in the middle of ${short(records)}, by a process just started`,
      measured: sampleOf(cold),
      unit: 'ms',
      must: atMost(sampleOf(cold).median, 25, '≤ 25 ms'),
    },
    {
      figure: `PostgreSQL, page in the middle with its total against OFFSET and count(*) of ${short(rows)}`,
      measured: anywhere,
      unit: 'ms',
      must: atLeast(timesLess(anywhere, byRows), 100, '≥ 100×'),
      peer: { name: 'a row a record', measured: byRows },
      ratio: timesLess(anywhere, byRows),
    },
  ];
}

async function charts(bench: Bench, fixture: LabFixture): Promise<Figure[]> {
  const range = { start: FIRST_TIME, end: FIRST_TIME + bench.records * SECOND };
  const times: number[][] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const { store, close } = await fixture.open();
    await fixture.warm(store);
    const overview = (shift: number) =>
      timed(() =>
        store.series(DEVICE, {
          // A little to the side: other columns, so other blocks at their edges.
          range: { start: range.start + shift * SECOND, end: range.end },
          keys: SENSOR_KEYS,
          width: WIDTH,
        }),
      );
    times[0]?.push(await overview(0));
    times[1]?.push(await overview(Math.floor(bench.records / 3)));
    times[2]?.push(await overview(Math.floor(bench.records / 3)));
    await close();
  }
  const limits = [300, 150, 40];
  return ['by a process just started', 'its blocks not cached', 'all cached'].map((how, i) => {
    const measured = sampleOf(times[i] ?? []);
    const limit = limits[i] ?? 0;
    return {
      figure: `PostgreSQL, chart overview of ${short(bench.records)}, four keys, ${how}`,
      measured,
      unit: 'ms',
      must: atMost(measured.median, limit, `≤ ${limit} ms`),
    };
  });
}

async function removals(bench: Bench, fixture: LabFixture): Promise<Figure[]> {
  const { store, close } = await fixture.open();
  const keeping: number[] = [];
  const restoring: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const name = `kept-${round + 1}`;
    const kept = await timed(() => store.keep(DEVICE, name, { at: Date.now() * 1000 }));
    if ((await store.count(DEVICE)) !== 0) throw new Error('A purge left records.');
    const back = await timed(() => store.restore(DEVICE, name));
    if ((await store.count(DEVICE)) !== bench.records) throw new Error('Not all records are back.');
    if (round < 0) continue;
    keeping.push(kept);
    restoring.push(back);
  }
  await close();
  const row = (figure: string, values: readonly number[]): Figure => ({
    figure,
    measured: sampleOf(values),
    unit: 'ms',
    must: atMost(sampleOf(values).median, 20, '≤ 20 ms'),
  });
  return [
    row(`PostgreSQL, purge of ${short(bench.records)} that can be undone`, keeping),
    row('PostgreSQL, undo of it', restoring),
  ];
}
