import type { Micros, TimeRange } from '#shared/values/time.ts';
import { readLatest } from '../../blocks/latest-reads.ts';
import { countRecords, readColumns, readWithin } from '../../blocks/reads.ts';
import type { Readable } from '../../blocks/readable.ts';
import { readIntervals, readSeries } from '../../blocks/series-reads.ts';
import type { SeriesQuery } from '../../blocks/series/series.ts';
import { countBySummary, countRows } from '../../blocks/count-reads.ts';
import { askForCounts, readExtent, readKeys, readSummary } from '../../blocks/summary-reads.ts';
import {
  devicesOf,
  idOf,
  type Columns,
  type DeviceSummary,
  type Extent,
  type LatestQuery,
  type LatestValue,
  type Page,
  type PageQuery,
  type ReadingsAsked,
  type Series,
  type SeriesKey,
  type StoredRecord,
  type TakeReadings,
  type Viewed,
} from '../../store.ts';
import type { Database, DatabaseRow, Statement } from '../connection/connections.ts';
import { headOf, HEADS, HEADS_OF_LANES, NO_HEAD, type Head } from '../rows/head.ts';
import type { CachedDevice } from '../rows/cached-device.ts';
import type { Layout } from '../schema/migrate.ts';
import type { DeviceCache } from './device-cache.ts';
import { DeviceView } from './device-view.ts';
import { edgeBlocks } from './edge-blocks.ts';
import { readPageOf } from './pages.ts';
import { placeOf, type Place } from '../rows/place.ts';
import { BlocksGone, goneWhileReading, Reading, type BlockCache } from './reading.ts';
import { walkReadingsOf } from './reading-walks.ts';
import { walkRows } from './walking.ts';

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

  page(viewed: Viewed, query: PageQuery): Promise<Page> {
    return this.#look(viewed, (view) => readPageOf(view, query));
  }

  columns(viewed: Viewed, query: PageQuery & { readonly keys: readonly string[] }): Promise<Columns> {
    return this.#run(viewed, (device) => readColumns(device, query));
  }

  count(viewed: Viewed, range: TimeRange | undefined): Promise<number> {
    return this.#run(viewed, (device) => countRecords(device, range));
  }

  within(viewed: Viewed, range: TimeRange): Promise<Omit<Extent, 'bytes'>> {
    return this.#run(viewed, (device) => readWithin(device, range));
  }

  keys(viewed: Viewed, signal?: AbortSignal): Promise<readonly string[]> {
    return this.#look(viewed, async (view) => readKeys(await counted(view), signal));
  }

  summary(viewed: Viewed, signal?: AbortSignal): Promise<DeviceSummary> {
    return this.#look(viewed, async (view) => readSummary(await counted(view), signal));
  }

  /** How many records of a range have any of the keys; read where nothing tells it. */
  countWith(
    viewed: Viewed,
    range: TimeRange,
    keys: readonly string[],
    signal?: AbortSignal,
  ): Promise<number> {
    const asked = new Set(keys);
    return this.#look(viewed, async (view) => {
      const { rounds: reading } = view;
      const frozen = await counted(view);
      const known = countBySummary(await readSummary(frozen, signal), asked, range);
      if (known === 'all') return reading.run(() => countRecords(frozen, range));
      if (known !== null) return known;
      const { timeline, ranks } = await ranksOf(view, frozen, range);
      let count = 0;
      for await (const batch of walkRows(reading, timeline, ranks, { keys: asked, received: false })) {
        signal?.throwIfAborted();
        count += countRows(batch);
      }
      return count;
    });
  }

  /** Oldest first, as of when it began. */
  async *scan(viewed: Viewed, range: TimeRange | undefined): AsyncGenerator<readonly StoredRecord[]> {
    const view = await this.#view(viewed);
    try {
      const { timeline, ranks } = await ranksOf(view, view.frozen(), range);
      for await (const batch of walkRows(view.rounds, timeline, ranks, { received: true }))
        yield Array.from({ length: batch.size }, (_, i) => batch.sliceAt(i).record(batch.rowAt(i)));
    } catch (error) {
      throw error instanceof BlocksGone ? goneWhileReading() : error;
    }
  }

  series(viewed: Viewed, query: SeriesQuery): Promise<Series> {
    return this.#look(viewed, async (view) => {
      const { stored, rounds: reading } = view;
      const frozen = view.frozen();
      await stored?.reading.want(edgeBlocks(stored.known, query));
      const drawn: SeriesKey[] = [];
      for (let from = 0; from === 0 || from < query.keys.length; from += FEW_KEYS) {
        const some = { ...query, keys: query.keys.slice(from, from + FEW_KEYS) };
        drawn.push(...(await reading.run(() => readSeries(frozen, some))).keys);
      }
      return { ...query.range, width: query.width, keys: drawn };
    });
  }

  intervals(viewed: Viewed, keys: readonly string[]): Promise<readonly number[]> {
    return this.#look(viewed, async (view) => {
      const { rounds: reading } = view;
      const frozen = view.frozen();
      const intervals: number[] = [];
      for (let from = 0; from < keys.length; from += FEW_KEYS)
        intervals.push(
          ...(await reading.run(() => readIntervals(frozen, keys.slice(from, from + FEW_KEYS)))),
        );
      return intervals;
    });
  }

  readings<T extends TakeReadings>(viewed: Viewed, asked: ReadingsAsked<T>): Promise<T> {
    return this.#look(viewed, (view) => walkReadingsOf(view, asked));
  }

  /** As stored a device costs its share of one question; through a lens it is read. */
  async extents(devices: readonly Viewed[]): Promise<readonly Extent[]> {
    const heads = await this.#heads(devices.map(idOf));
    return Promise.all(
      devices.map(async (device, i) => {
        if (typeof device !== 'string') return this.#run(device, readExtent);
        const { rows, first, last, bytes } = heads[i] ?? NO_HEAD;
        return { records: rows, first, last, bytes };
      }),
    );
  }

  async lastSeen(devices: readonly string[]): Promise<readonly (Micros | null)[]> {
    return (await this.#heads(devices)).map(({ lastSeen }) => lastSeen);
  }

  /** A device of which nothing changed since it was read last costs its share of one question. */
  async latest(asked: readonly LatestQuery[]): Promise<readonly (readonly LatestValue[])[]> {
    const heads = await this.#heads(asked.map(({ device }) => idOf(device)));
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
    if (typeof device !== 'string') return this.#run(device, (view) => readLatest(view, keys));
    if (head.rows === 0) return [];
    const place = placeOf(device, this.#layout.lanes);
    const known = this.#devices.known(device);
    const isCurrent = known?.isOf(head) === true && known.head.nextSeq >= head.nextSeq;
    if (!known || !isCurrent) return this.#run(device, (now) => readLatest(now, keys));
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
  #run<T>(viewed: Viewed, read: (device: Readable) => T): Promise<Awaited<T>> {
    return this.#look(viewed, (view) => {
      const device = view.supplied();
      return view.rounds.run(() => read(device));
    });
  }

  /** Reads a device as it is, and again where it is not that any more before all of it is read. */
  async #look<T>(viewed: Viewed, read: (view: DeviceView) => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const view = await this.#view(viewed);
      try {
        return await read(view);
      } catch (error) {
        if (!(error instanceof BlocksGone)) throw error;
        for (const device of devicesOf(viewed)) this.#devices.forget(device);
      }
    }
    throw goneWhileReading();
  }

  async #view(viewed: Viewed): Promise<DeviceView> {
    const places = devicesOf(viewed).map((device) => placeOf(device, this.#layout.lanes));
    const known = await Promise.all(places.map((place) => this.#devices.at(place)));
    const readings = known.map((device, i) => this.#reading(places[i]!, device));
    return new DeviceView(viewed, known, readings);
  }
}

async function ranksOf(view: DeviceView, frozen: Readable, range: TimeRange | undefined) {
  return view.rounds.run(() => {
    const timeline = frozen.timeline();
    return { timeline, ranks: timeline.ranks(range) };
  });
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

/** The device for a reader that takes its time and counts every key. */
async function counted(view: DeviceView): Promise<Readable> {
  const frozen = view.frozen();
  await view.rounds.run(() => {
    for (const source of frozen.sources()) askForCounts(source);
  });
  return frozen;
}
