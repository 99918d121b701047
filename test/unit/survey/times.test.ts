import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredRecord } from '#core/store/store.ts';
import { EQUAL_RECORDS } from '#core/survey/equal-records.ts';
import { surveyDevice } from '#core/survey/survey-device.ts';
import { TIMES } from '#core/survey/times.ts';
import { oddityOf } from '#shared/domain/time-findings.ts';
import type { TimeRange } from '#shared/values/time.ts';
import { surveyOptions, surveyStores } from './survey-stores.ts';

const stores = surveyStores();

const S = 1_000_000;
const NOW = Date.UTC(2026, 10, 19, 18) * 1000;
/** Where uploads begin: where they should, at the epoch, at the NTP rollover, and far ahead. */
const BASES = [NOW - 100_000 * S, NOW - 100_000 * S, NOW, 0, Date.UTC(2036, 1, 7) * 1000, NOW + 90_000 * S];

const upload = fc.record({
  base: fc.constantFrom(...BASES),
  start: fc.integer({ min: 0, max: 400 }),
  count: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 500, max: 1500 })),
  step: fc.constantFrom(0, 1, 1, 7),
  values: fc.constantFrom(1, 2, 1000),
});
type Upload = typeof upload extends fc.Arbitrary<infer T> ? T : never;

function recordsOf({ base, start, count, step, values }: Upload, received: number): StoredRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    timestamp: base + (start + i * step) * S,
    received,
    keys: i % values === 0 ? ['n'] : ['n', 'text'],
    values: i % values === 0 ? [i % 3] : [i % 3, `${i % values}`],
  }));
}

/** Equal times: earliest arrival first. */
const inOrder = (records: readonly StoredRecord[], { start = -Infinity, end = Infinity }: TimeRange) =>
  records
    .filter(({ timestamp }) => timestamp >= start && timestamp <= end)
    .toSorted((a, b) => a.timestamp - b.timestamp);

/** Neighbours of one kind as a place. */
function placesOf(records: readonly StoredRecord[], is: (record: StoredRecord, at: number) => boolean) {
  const places: { start: number; end: number; records: number }[] = [];
  let open = false;
  for (const [at, record] of records.entries()) {
    const wanted = is(record, at);
    const { timestamp } = record;
    const last = places.at(-1);
    if (wanted && open && last) Object.assign(last, { end: timestamp, records: last.records + 1 });
    else if (wanted) places.push({ start: timestamp, end: timestamp, records: 1 });
    open = wanted;
  }
  return places;
}

const first = (places: readonly { records: number }[], most: number, records?: number) => ({
  records: records ?? places.reduce((sum, place) => sum + place.records, 0),
  places: places.length,
  list: places.slice(0, most),
});

function naive(all: readonly StoredRecord[], range: TimeRange, pause: number, most: number) {
  const records = inOrder(all, range);
  const isLate = (record: StoredRecord, at: number) =>
    records.slice(at + 1).some(({ received }) => received < record.received);
  const kind = (wanted: string) => placesOf(records, ({ timestamp }) => oddityOf(timestamp, NOW) === wanted);
  const byTime = Map.groupBy(records, ({ timestamp }) => timestamp);
  const instants = [...byTime.keys()];
  const right = instants.filter((time) => oddityOf(time, NOW) === null);
  const gaps = right
    .slice(1)
    .map((end, at) => ({ start: right[at]!, end, records: 0 }))
    .filter(({ start, end }) => end - start > pause)
    .toSorted((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
  const equal = [...byTime].filter(([, some]) => some.length > 1);
  const contents = (some: readonly StoredRecord[]) =>
    new Set(some.map(({ keys, values }) => JSON.stringify([keys, values]))).size;
  const copies = equal.filter(([, some]) => contents(some) < some.length);
  const at = ([time, some]: [number, readonly StoredRecord[]]) => ({
    start: time,
    end: time,
    records: some.length,
  });
  return {
    times: {
      records: records.length,
      epoch: first(kind('epoch'), most),
      year_2036: first(kind('year_2036'), most),
      future: first(kind('future'), most),
      gap: first(gaps, most, 0),
      equal_times: first(
        equal.map(at),
        most,
        equal.reduce((sum, [, some]) => sum + some.length - 1, 0),
      ),
      equal: equal.length === 0 ? null : { start: equal[0]![0], end: equal.at(-1)![0] },
      late: first(placesOf(records, isLate), most),
    },
    copies: {
      exact: true,
      found: first(
        copies.map(at),
        most,
        copies.reduce((sum, [, some]) => sum + some.length - contents(some), 0),
      ),
    },
    skews: records
      .filter(({ timestamp }) => oddityOf(timestamp, NOW) === null)
      .map(({ timestamp, received }) => ({ timestamp, skew: received - timestamp })),
  };
}

test('whatever comes in whichever order, its times are told as a naive model tells them', async () => {
  await fc.assert(
    fc
      .asyncProperty(
        fc.array(fc.tuple(upload, fc.integer({ min: -50, max: 50 })), { minLength: 1, maxLength: 7 }),
        fc.constantFrom<TimeRange>({}, { start: NOW - 99_900 * S, end: NOW + 100_000 * S }),
        fc.constantFrom(2 * S, 100 * S, 1e15),
        fc.constantFrom(0, 3, 1000),
        async (uploads, range, pause, most) => {
          const all: StoredRecord[] = [];
          for (const store of stores.all) await store.purge('d', 0);
          for (const [n, [one, off]] of uploads.entries()) {
            // Now and then the service's clock has been set back.
            const records = recordsOf(one, NOW + n * 10 * S + off * S);
            all.push(...records);
            for (const store of stores.all) await store.append('d', records);
          }
          const shown = { start: NOW - 100_000 * S, end: NOW };
          const expected = naive(all, range, pause, most);
          for (const store of stores.all) {
            const query = { range, keys: [] as const, shown, width: 20, now: NOW, pause, most };
            const { skew, ...found } = await surveyDevice(TIMES, query, surveyOptions(store));
            expect(found).toEqual(expected.times);
            const seen = expected.skews.filter(
              ({ timestamp }) => timestamp >= shown.start && timestamp <= shown.end,
            );
            expect(skew.counts.reduce((sum, count) => sum + count, 0)).toBe(seen.length);
            const column = (time: number) =>
              Math.floor(((time - shown.start) * 20) / (shown.end - shown.start + 1));
            for (let c = 0; c < 20; c++) {
              const of = seen.filter(({ timestamp }) => column(timestamp) === c).map(({ skew: by }) => by);
              expect([skew.counts[c], skew.min[c], skew.max[c]]).toEqual(
                of.length === 0 ? [0, NaN, NaN] : [of.length, Math.min(...of), Math.max(...of)],
              );
            }
            const copies = await surveyDevice(
              EQUAL_RECORDS,
              { range, keys: ['n', 'text'], most },
              surveyOptions(store),
            );
            expect(copies).toEqual(expected.copies);
          }
        },
      )
      // What one run leaves in a store, the next one must not find.
      .beforeEach(async () => {
        for (const store of stores.all) await store.purge('d', 0);
      }),
    { numRuns: 40 },
  );
}, 120_000);

test('records that differ in the kind or the key of a value are not equal', async () => {
  const at = (keys: string[], values: (string | number | boolean)[]): StoredRecord => ({
    timestamp: NOW,
    received: NOW,
    keys,
    values,
  });
  for (const store of stores.all) {
    await store.append('d', [
      at(['a', 'b'], [1, 2]),
      at(['a', 'b'], [2, 1]),
      at(['a', 'b'], [true, 2]),
      at(['a', 'b'], ['1', 2]),
      at(['a'], [1]),
      at(['b'], [1]),
      at(['a', 'b'], ['', '']),
      at(['a', 'b'], [1, 2]),
    ]);
    const { found } = await surveyDevice(
      EQUAL_RECORDS,
      { range: {}, keys: ['a', 'b'], most: 9 },
      surveyOptions(store),
    );
    expect(found).toEqual({ records: 1, places: 1, list: [{ start: NOW, end: NOW, records: 8 }] });
  }
});
