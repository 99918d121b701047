import { describe, expect, test } from 'vitest';
import type { TimeRange } from '#shared/values/time.ts';
import { correctedDevice } from '#core/store/blocks/corrections/corrected-device.ts';
import { readLatest } from '#core/store/blocks/latest-reads.ts';
import { Cursor } from '#core/store/blocks/query/cursor.ts';
import type { Readable } from '#core/store/blocks/readable.ts';
import { countRecords, readColumns, readPage, readWithin } from '#core/store/blocks/reads.ts';
import { readReadings } from '#core/store/blocks/reading-reads.ts';
import { readIntervals, readSeries } from '#core/store/blocks/series-reads.ts';
import type { SeriesQuery } from '#core/store/blocks/series/series.ts';
import { readKeys, readSummary } from '#core/store/blocks/summary-reads.ts';
import type { Reads } from '#core/store/postgres/reading/reads.ts';
import type { Lens, Page, PageQuery, StoredRecord, Value, Viewed } from '#core/store/store.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { record } from '../../../suites/record-store/harness.ts';
import { HeldDevice } from './held-device.ts';
import { openRecords } from './open-records.ts';

/* What is read before its blocks are here is guessed, and read again: nothing of a guess is to be remembered. */

const SECOND = 1_000_000;
const EACH = 600;

type Fields = Record<string, Value>;

const at = (second: number) => second * SECOND;
/** A minute passes after 40 records, which are a block: what is between blocks is not what is in them. */
const every = (first: number, step: number, count: number, fields: (i: number) => Fields) =>
  Array.from({ length: count }, (_, i) => record(at(first + i * step + Math.floor(i / 40) * 60), fields(i)));

/** Segments that overlap, each of several blocks, and rows behind them, some of which are late. */
const device = () =>
  new HeldDevice(
    [
      every(0, 1, 600, (i): Fields => (i % 7 === 0 ? { a: i } : { a: i, b: -i })),
      every(300, 3, 200, (i): Fields => (i % 5 === 0 ? { b: i, text: `n ${i}` } : { a: i / 3, text: 'x' })),
      every(1000, 10, 90, (i) => ({ a: i, only: i % 2 === 0 })),
    ],
    [...every(2000, 1, 30, (i) => ({ a: i })), ...every(500, 2, 20, (i) => ({ b: i, late: i }))],
  );

const RANGES: readonly TimeRange[] = [
  {},
  { start: at(100.5), end: at(1500.5) },
  { start: at(350), end: at(352) },
  { start: at(5000) },
];
const KEYS = ['a', 'b', 'text', 'only', 'late', 'none'];
const PAGES: readonly PageQuery[] = RANGES.flatMap((range) => [
  { offset: 0, limit: 5, range },
  { offset: 333, limit: 77, range, keys: ['b', 'only'] },
  { offset: 0, limit: 2000, range },
]);
const SERIES: readonly SeriesQuery[] = [1, 13, 400].flatMap((width) =>
  [
    { start: 0, end: at(2100) },
    { start: at(299.5), end: at(1111) },
    { start: at(700), end: at(710) },
  ].map((range) => ({ range, width, keys: KEYS })),
);

const READINGS = KEYS.flatMap((key) =>
  RANGES.map(({ start = 0, end = at(3000) }) => ({
    key,
    range: { start, end },
    pause: Infinity,
  })),
);

function listing() {
  const found: (readonly [time: number, value: number])[] = [];
  return {
    all: found,
    isOver: false,
    one: (time: number, value: number) => void found.push([time, value]),
    some: () => false,
  };
}

const textOf = async ({ json }: Page) =>
  json instanceof Uint8Array ? Buffer.from(json).toString() : Buffer.concat(await listOf(json)).toString();

/** Every read of blocks: over the database, and over the same blocks at hand. */
const READERS: Readonly<
  Record<string, readonly [(reads: Reads, of: Viewed) => Promise<unknown>, (whole: Readable) => unknown]>
> = {
  page: [
    (reads, of) => all(PAGES, async (query) => textOf(await reads.page(of, query))),
    (whole) => all(PAGES, (query) => textOf(readPage(whole, query))),
  ],
  columns: [
    (reads, of) => all(PAGES, (query) => reads.columns(of, { keys: KEYS, ...query })),
    (whole) => all(PAGES, (query) => readColumns(whole, { keys: KEYS, ...query })),
  ],
  count: [
    (reads, of) => all(RANGES, (range) => reads.count(of, range)),
    (whole) => all(RANGES, (range) => countRecords(whole, range)),
  ],
  countWith: [
    (reads, of) => all(RANGES, (range) => reads.countWith(of, range, ['b', 'only'])),
    (whole) =>
      all(
        RANGES,
        (range) =>
          recordsOf(whole, range).filter(({ keys }) => keys.some((key) => key === 'b' || key === 'only'))
            .length,
      ),
  ],
  within: [
    (reads, of) => all(RANGES, (range) => reads.within(of, range)),
    (whole) => all(RANGES, (range) => readWithin(whole, range)),
  ],
  scan: [
    (reads, of) => all(RANGES, async (range) => (await listOf(reads.scan(of, range))).flat()),
    (whole) => all(RANGES, (range) => recordsOf(whole, range)),
  ],
  keys: [(reads, of) => reads.keys(of), (whole) => readKeys(whole)],
  summary: [(reads, of) => reads.summary(of), (whole) => readSummary(whole)],
  series: [
    (reads, of) => all(SERIES, (query) => reads.series(of, query)),
    (whole) => all(SERIES, (query) => readSeries(whole, query)),
  ],
  intervals: [(reads, of) => reads.intervals(of, KEYS), (whole) => readIntervals(whole, KEYS)],
  readings: [
    (reads, of) => all(READINGS, async (query) => (await reads.readings(of, { query, begin: listing })).all),
    (whole) => all(READINGS, async (query) => (await readReadings(whole, { query, begin: listing })).all),
  ],
  latest: [
    (reads, of) => reads.latest([null, KEYS].map((keys) => ({ device: of, keys }))),
    (whole) => [null, KEYS].map((keys) => readLatest(whole, keys)),
  ],
};

async function listOf<T>(pieces: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const piece of pieces) list.push(piece);
  return list;
}

async function all<T, U>(queries: readonly T[], read: (query: T) => U): Promise<Awaited<U>[]> {
  const found: Awaited<U>[] = [];
  for (const query of queries) found.push(await read(query));
  return found;
}

/** Oldest first. */
function recordsOf(whole: Readable, range: TimeRange): StoredRecord[] {
  const timeline = whole.timeline();
  const { from, to } = timeline.ranks(range);
  const cursor = new Cursor(timeline, from, to, false, { received: true });
  const records: StoredRecord[] = [];
  for (let batch = cursor.next(64); batch !== null; batch = cursor.next(64))
    for (let i = 0; i < batch.size; i++) records.push(batch.sliceAt(i).record(batch.rowAt(i)));
  return records;
}

/** Edges within blocks, a clock that joins times, a history of its own before it, and a key of the others. */
const LENS: Lens = {
  corrections: [
    { kind: 'calibration', key: 'a', from: at(321), points: { gain: 2, offset: 1 } },
    { kind: 'quality', keys: ['b'], from: at(50), to: at(450), quality: 'fail' },
    { kind: 'time', from: at(700), to: at(1400), by: { shift: at(-650) } },
    {
      kind: 'time',
      from: at(1500),
      to: at(1700),
      by: {
        at: [
          [at(1500), at(1500)],
          [at(1700), at(1600)],
        ],
      },
    },
  ],
  formers: [{ device: 'd', until: at(333.3), lens: null }],
};
const DERIVED: Lens = {
  corrections: [...LENS.corrections, { kind: 'derived', key: 'none', of: 'a - b', within_s: 5 }],
  formers: [],
};
/** The views of the device, and the same over blocks at hand. */
const VIEWS: readonly (readonly [Viewed, (whole: Readable) => Readable])[] = [
  ['d', (whole) => whole],
  [{ device: 'd', lens: LENS }, (whole) => correctedDevice(LENS, whole, [whole])],
  [{ device: 'd', lens: DERIVED }, (whole) => correctedDevice(DERIVED, whole, [])],
];

/** None are kept from one read to the next, so that each begins with guesses; or all are. */
describe.each([0, 1 << 24])('blocks of a database, of which %i bytes are held', (blockBytes) => {
  test.each(Object.entries(READERS))(
    '%s is what it is of blocks at hand, cold and warm',
    async (_, [read, expected]) => {
      for (const [of, through] of VIEWS) {
        const held = device();
        const whole = await expected(through(held.whole));
        const reads = held.reads(blockBytes);
        for (let again = 0; again < 3; again++) expect(await read(reads, of)).toEqual(whole);
      }
    },
  );

  test('no reader remembers for another what was guessed', async () => {
    const held = device();
    const reads = held.reads(blockBytes);
    for (const [name, [read, expected]] of [
      ...Object.entries(READERS),
      ...Object.entries(READERS).toReversed(),
    ])
      for (const [of, through] of VIEWS)
        expect(await read(reads, of), name).toEqual(await expected(through(held.whole)));
  });
});

describe.skipIf(!hasPostgres)('a device of several segments, each of one block', () => {
  const own = ownDatabase();

  test('has the usual interval of its numbers, not that of its segments', async () => {
    const { store, database, close } = await openRecords(own.url, { tailRows: 8, segmentRows: 1024 });
    const tails = async () => (await database.ask('SELECT seq FROM tail')).length;
    for (let part = 0; part < 3; part++) {
      const records = Array.from({ length: EACH }, (_, i) => record((part * EACH + i) * SECOND, { a: i }));
      await store.append('d', records);
      await expect.poll(tails).toBe(0);
    }
    await close();
    const cold = await openRecords(own.url);
    for (let again = 0; again < 3; again++) expect(await cold.store.intervals('d', ['a'])).toEqual([SECOND]);
    await cold.close();
  });
});
