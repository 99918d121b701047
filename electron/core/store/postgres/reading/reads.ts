import { columnStarts } from '#shared/values/pixel-columns.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import { StoreError } from '../../../base/errors.ts';
import { readLatest } from '../../blocks/latest-reads.ts';
import { countRecords, readColumns, readWithin } from '../../blocks/reads.ts';
import type { Readable } from '../../blocks/readable.ts';
import { readIntervals, readSeries } from '../../blocks/series-reads.ts';
import type { SeriesQuery } from '../../blocks/series/series.ts';
import { ABSENT } from '../../blocks/block/cell-kind.ts';
import { readKeys, readSummary } from '../../blocks/summary-reads.ts';
import type {
  Columns,
  DeviceSummary,
  Extent,
  LatestQuery,
  LatestValue,
  Page,
  PageQuery,
  ReadingsAsked,
  Series,
  SeriesKey,
  StoredRecord,
  TakeReadings,
} from '../../store.ts';
import type { Database, DatabaseRow, Statement } from '../connection/connections.ts';
import { headOf, HEADS, HEADS_OF_LANES, NO_HEAD, type Head } from '../rows/head.ts';
import type { CachedDevice } from '../rows/cached-device.ts';
import type { Layout } from '../schema/migrate.ts';
import type { DeviceCache } from './device-cache.ts';
import { readPageOf } from './pages.ts';
import { placeOf, type Place } from '../rows/place.ts';
import { BlocksGone, Reading, type BlockCache } from './reading.ts';
import { SuppliedSegment } from '../rows/supplied-segment.ts';
import { walkReadingsOf, walkRows } from './walking.ts';

/** How often a read begins again where the device's blocks went meanwhile. */
const TRIES = 3;
/** Keys that are drawn at once. */
const FEW_KEYS = 8;
/** Devices that are asked for at once. */
const MOST_DEVICES = 1000;
/** Devices that are read at once. */
const AT_ONCE = 32;

/** Reads devices as they are now; what they hold in blocks is read by store/blocks. */
export class Reads {
  readonly #database: Database;
  readonly #devices: DeviceCache;
  readonly #cache: BlockCache;
  readonly #layout: Layout;

  constructor(database: Database, devices: DeviceCache, cache: BlockCache, layout: Layout) {
    this.#database = database;
    this.#devices = devices;
    this.#cache = cache;
    this.#layout = layout;
  }

  page(place: Place, query: PageQuery): Promise<Page> {
    return this.#look(place, (known, reading) => readPageOf(known, reading, query));
  }

  columns(place: Place, query: PageQuery & { readonly keys: readonly string[] }): Promise<Columns> {
    return this.#run(place, (device) => readColumns(device, query));
  }

  count(place: Place, range: TimeRange | undefined): Promise<number> {
    return this.#run(place, (device) => countRecords(device, range));
  }

  within(place: Place, range: TimeRange): Promise<Omit<Extent, 'bytes'>> {
    return this.#run(place, (device) => readWithin(device, range));
  }

  keys(place: Place, signal?: AbortSignal): Promise<readonly string[]> {
    return this.#look(place, async (known, reading) => readKeys(await counted(known, reading), signal));
  }

  summary(place: Place, signal?: AbortSignal): Promise<DeviceSummary> {
    return this.#look(place, async (known, reading) => readSummary(await counted(known, reading), signal));
  }

  /** How many records of a range have any of the keys; read where nothing tells it. */
  countWith(place: Place, range: TimeRange, keys: readonly string[], signal?: AbortSignal): Promise<number> {
    const asked = new Set(keys);
    return this.#look(place, async (known, reading) => {
      const frozen = await counted(known, reading);
      const { records, keys: counts } = await readSummary(frozen, signal);
      const found = counts.filter(({ key }) => asked.has(key));
      const [only] = found;
      if (!only) return 0;
      if (found.some(({ count }) => count === records)) return reading.run(() => countRecords(frozen, range));
      if (found.length === 1 && range.start === undefined && range.end === undefined) return only.count;
      const timeline = frozen.timeline();
      const ranks = await reading.run(() => timeline.ranks(range));
      let count = 0;
      for await (const batch of walkRows(reading, timeline, ranks, { keys: asked, received: false })) {
        signal?.throwIfAborted();
        for (let i = 0; i < batch.size; i++) {
          const row = batch.rowAt(i);
          if (batch.sliceAt(i).columns.some(({ kinds }) => kinds[row] !== ABSENT)) count++;
        }
      }
      return count;
    });
  }

  /** Oldest first, as of when it began. */
  async *scan(place: Place, range: TimeRange | undefined): AsyncGenerator<readonly StoredRecord[]> {
    const known = await this.#devices.at(place);
    const reading = this.#reading(place, known);
    const timeline = known.frozen(reading).timeline();
    try {
      const ranks = await reading.run(() => timeline.ranks(range));
      for await (const batch of walkRows(reading, timeline, ranks, { received: true }))
        yield Array.from({ length: batch.size }, (_, i) => batch.sliceAt(i).record(batch.rowAt(i)));
    } catch (error) {
      throw error instanceof BlocksGone ? goneWhileReading() : error;
    }
  }

  series(place: Place, query: SeriesQuery): Promise<Series> {
    return this.#look(place, async (known, reading) => {
      const frozen = known.frozen(reading);
      await reading.want(edgeBlocks(known, query));
      const drawn: SeriesKey[] = [];
      for (let from = 0; from === 0 || from < query.keys.length; from += FEW_KEYS) {
        const some = { ...query, keys: query.keys.slice(from, from + FEW_KEYS) };
        drawn.push(...(await reading.run(() => readSeries(frozen, some))).keys);
      }
      return { ...query.range, width: query.width, keys: drawn };
    });
  }

  intervals(place: Place, keys: readonly string[]): Promise<readonly number[]> {
    return this.#look(place, async (known, reading) => {
      const frozen = known.frozen(reading);
      const intervals: number[] = [];
      for (let from = 0; from < keys.length; from += FEW_KEYS)
        intervals.push(
          ...(await reading.run(() => readIntervals(frozen, keys.slice(from, from + FEW_KEYS)))),
        );
      return intervals;
    });
  }

  readings<T extends TakeReadings>(place: Place, asked: ReadingsAsked<T>): Promise<T> {
    return this.#look(place, (known, reading) => walkReadingsOf(reading, known.frozen(reading), asked));
  }

  async extents(devices: readonly string[]): Promise<readonly Extent[]> {
    const heads = await this.#heads(devices);
    return heads.map(({ rows, first, last, bytes }) => ({ records: rows, first, last, bytes }));
  }

  async lastSeen(devices: readonly string[]): Promise<readonly (Micros | null)[]> {
    return (await this.#heads(devices)).map(({ lastSeen }) => lastSeen);
  }

  /** A device of which nothing changed since it was read last costs its share of one question. */
  async latest(asked: readonly LatestQuery[]): Promise<readonly (readonly LatestValue[])[]> {
    const heads = await this.#heads(asked.map(({ device }) => device));
    const found: (readonly LatestValue[])[] = [];
    for (let from = 0; from < asked.length; from += AT_ONCE)
      found.push(
        ...(await Promise.all(
          asked
            .slice(from, from + AT_ONCE)
            .map((query, i) => this.#latest(query, heads[from + i] ?? NO_HEAD)),
        )),
      );
    return found;
  }

  async #latest({ device, keys }: LatestQuery, head: Head): Promise<readonly LatestValue[]> {
    if (head.rows === 0) return [];
    const place = placeOf(device, this.#layout.lanes);
    const known = this.#devices.known(device);
    const isCurrent = known?.isOf(head) === true && known.head.nextSeq >= head.nextSeq;
    if (!known || !isCurrent) return this.#run(place, (now) => readLatest(now, keys));
    const reading = this.#reading(place, known);
    const current = known.suppliedBy(reading);
    return reading.run(() => readLatest(current, keys));
  }

  /** In the order asked; NO_HEAD for a device that has none. */
  async #heads(devices: readonly string[]): Promise<readonly Head[]> {
    const found = new Map<string, Head>();
    if (devices.length === 0) return [];
    const places = Array.from(new Set(devices), (device) => placeOf(device, this.#layout.lanes));
    const asked = this.#layout.isSpread ? headsByLane(places) : headsOfLanes(places);
    const answers: readonly (readonly DatabaseRow[])[] = await this.#database.askAll(asked);
    for (const row of answers.flat()) found.set(row['device_id'] as string, headOf(row));
    return devices.map((device) => found.get(device) ?? NO_HEAD);
  }

  #reading(place: Place, known: CachedDevice): Reading {
    return new Reading(this.#database, this.#cache, place, known.head.epoch, known.history);
  }

  /** Runs a reader of store/blocks on the present device. */
  #run<T>(place: Place, read: (device: Readable) => T): Promise<Awaited<T>> {
    return this.#look(place, (known, reading) => {
      const device = known.suppliedBy(reading);
      return reading.run(() => read(device));
    });
  }

  /** Reads a device as it is, and again where it is not that any more before all of it is read. */
  async #look<T>(place: Place, read: (known: CachedDevice, reading: Reading) => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const known = await this.#devices.at(place);
      try {
        return await read(known, this.#reading(place, known));
      } catch (error) {
        if (!(error instanceof BlocksGone)) throw error;
        this.#devices.forget(place.device);
      }
    }
    throw goneWhileReading();
  }
}

/** Of several nodes each lane is asked by itself, on its node. */
const headsByLane = (places: readonly Place[]): Statement[] =>
  [...Map.groupBy(places, ({ lane }) => lane)].flatMap(([lane, all]) =>
    inParts(all).map((some) => ({ sql: HEADS, params: [lane, some.map(({ device }) => device)] })),
  );

const headsOfLanes = (places: readonly Place[]): Statement[] =>
  inParts(places).map((some) => ({
    sql: HEADS_OF_LANES,
    params: [some.map(({ lane }) => lane), some.map(({ device }) => device)],
  }));

const inParts = (places: readonly Place[]): (readonly Place[])[] =>
  Array.from({ length: Math.ceil(places.length / MOST_DEVICES) }, (_, n) =>
    places.slice(n * MOST_DEVICES, (n + 1) * MOST_DEVICES),
  );

const goneWhileReading = () =>
  new StoreError('io', 'Records were removed while they were read. Read again to get those that are left.');

/** The device for a reader that takes its time and asks for every key. */
async function counted(known: CachedDevice, reading: Reading) {
  const frozen = known.frozen(reading);
  await reading.run(() => {
    for (const source of frozen.sources()) if (source instanceof SuppliedSegment) source.keyCounts();
  });
  return frozen;
}

/** The blocks that an edge of a column of pixels divides: a picture takes all others from summaries. */
function edgeBlocks({ segments }: CachedDevice, { range, width }: SeriesQuery): Set<number> {
  const starts = columnStarts(range.start, range.end, width);
  const blocks = new Set<number>();
  for (const segment of segments) {
    if (segment.last < range.start || segment.first > range.end) continue;
    const { table } = segment;
    const add = (edge: Micros) => {
      const index = table.blockEnding(edge, false);
      if (index < table.count && table.firstOf(index) < edge) blocks.add(table.offsetOf(index));
    };
    for (const start of starts) add(start);
    add(range.end + 1);
  }
  return blocks;
}
