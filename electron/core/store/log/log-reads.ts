import type { Micros, TimeRange } from '#shared/values/time.ts';
import {
  devicesOf,
  type Columns,
  type DeviceSummary,
  type Extent,
  type LatestQuery,
  type LatestValue,
  type Lens,
  type Page,
  type PageQuery,
  type ReadingsAsked,
  type RecordSnapshot,
  type Series,
  type StoredRecord,
  type TakeReadings,
  type Viewed,
} from '../store.ts';
import { closed, READING } from '../store-errors.ts';
import { viewOf } from '../blocks/corrections/viewed.ts';
import { readLatest } from '../blocks/latest-reads.ts';
import { KeptPages } from '../blocks/query/kept-pages.ts';
import type { Readable } from '../blocks/readable.ts';
import { readReadings } from '../blocks/reading-reads.ts';
import { countRecords, readColumns, readPage, readWithin } from '../blocks/reads.ts';
import { readIntervals, readSeries } from '../blocks/series-reads.ts';
import type { SeriesQuery } from '../blocks/series/series.ts';
import { readExtent, readKeys, readSummary } from '../blocks/summary-reads.ts';
import { diskError, doing } from '../../disk/errors.ts';
import type { DeviceLog } from './device/device-log.ts';
import type { Devices } from './device/devices.ts';
import { keptAs } from './device/keeping.ts';
import { countWith, scanRecords, scanSegments } from './device/scan.ts';
import { snapshotOf } from './device/snapshot/snapshot.ts';
import { viewedSnapshot } from './device/snapshot/viewed-snapshot.ts';
import type { StoreParts } from './store-parts.ts';

/** Reads of the append log: of devices as they were stored, and through lenses. */
export abstract class LogReads {
  protected isClosed = false;
  readonly #parts: StoreParts;
  readonly #pages = new KeptPages();
  readonly #views = new WeakMap<
    Lens,
    { readonly devices: readonly DeviceLog[]; readonly readable: Readable }
  >();

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  async page(device: Viewed, query: PageQuery): Promise<Page> {
    const log =
      (typeof device === 'string' ? this.known(device) : this.#knownView(device)) ??
      (await this.#readable(device));
    return this.reading(() => readPage(log, query, { kept: this.#pages }));
  }

  async columns(device: Viewed, query: PageQuery & { readonly keys: readonly string[] }): Promise<Columns> {
    const log = await this.#readable(device);
    return this.reading(() => readColumns(log, query));
  }

  async *scan(device: Viewed, range?: TimeRange): AsyncGenerator<readonly StoredRecord[]> {
    yield* scanRecords(await this.#readable(device), range);
  }

  async *scanKept(device: string, name: string): AsyncGenerator<readonly StoredRecord[]> {
    const log = await this.device(device);
    const entry = keptAs(log, name);
    if (entry !== undefined) yield* scanSegments(log, entry.segments);
  }

  protected async snapshot(viewed: Viewed, any: boolean): Promise<RecordSnapshot | null> {
    const { threadsFindFiles, limits } = this.#parts.common;
    const logs = await Promise.all(devicesOf(viewed).map((device) => this.device(device)));
    const isMuch =
      any || sumOf(logs, 'rows') >= limits.threadRows || sumOf(logs, 'bytes') >= limits.threadBytes;
    // Threads that do not find the files get a copy, which is made in one go.
    const canHave = threadsFindFiles || sumOf(logs, 'bytes') <= limits.copiedBytes;
    return isMuch && canHave
      ? this.reading(() => viewedSnapshot(viewed, logs, (log) => snapshotOf(log, !threadsFindFiles)))
      : null;
  }

  async count(device: Viewed, range?: TimeRange): Promise<number> {
    const log = await this.#readable(device);
    return this.reading(() => countRecords(log, range));
  }

  async countWith(
    device: Viewed,
    range: TimeRange,
    keys: readonly string[],
    signal?: AbortSignal,
  ): Promise<number> {
    const log = await this.#readable(device);
    return doing(READING, () => countWith(log, range, keys, signal));
  }

  async within(device: Viewed, range: TimeRange): Promise<Omit<Extent, 'bytes'>> {
    const log = await this.#readable(device);
    return this.reading(() => readWithin(log, range));
  }

  async keys(device: Viewed, signal?: AbortSignal): Promise<readonly string[]> {
    const log = await this.#readable(device);
    return doing(READING, () => readKeys(log, signal));
  }

  async summary(device: Viewed, signal?: AbortSignal): Promise<DeviceSummary> {
    const log = await this.#readable(device);
    return doing(READING, () => readSummary(log, signal));
  }

  async series(device: Viewed, query: SeriesQuery): Promise<Series> {
    const log = await this.#readable(device);
    return doing(READING, () => readSeries(log, query));
  }

  async intervals(device: Viewed, keys: readonly string[]): Promise<readonly number[]> {
    const log = await this.#readable(device);
    return doing(READING, () => readIntervals(log, keys));
  }

  async readings<T extends TakeReadings>(device: Viewed, asked: ReadingsAsked<T>): Promise<T> {
    const log = await this.#readable(device);
    return doing(READING, () => readReadings(log, asked));
  }

  async lastSeen(devices: readonly string[]): Promise<readonly (Micros | null)[]> {
    this.checkOpen();
    return doing(READING, () => this.#devices.each(devices, (id) => this.#devices.lastSeen(id)));
  }

  async extents(devices: readonly Viewed[]): Promise<readonly Extent[]> {
    this.checkOpen();
    return doing(READING, () =>
      this.#devices.each(devices, (each) =>
        typeof each === 'string' ? this.#devices.extent(each) : this.#readable(each).then(readExtent),
      ),
    );
  }

  async latest(asked: readonly LatestQuery[]): Promise<readonly (readonly LatestValue[])[]> {
    this.checkOpen();
    return doing(READING, () =>
      this.#devices.each(asked, ({ device, keys }) =>
        typeof device === 'string'
          ? this.#devices.latest(device, keys)
          : this.#readable(device).then((readable) => readLatest(readable, keys)),
      ),
    );
  }

  get #devices(): Devices {
    return this.#parts.devices;
  }

  protected known(device: string): DeviceLog | undefined {
    this.checkOpen();
    return this.#devices.atHand(device);
  }

  async #readable(viewed: Viewed): Promise<Readable> {
    if (typeof viewed === 'string') return this.device(viewed);
    const known = this.#knownView(viewed);
    if (known !== undefined) return known;
    const devices = await Promise.all(devicesOf(viewed).map((device) => this.device(device)));
    const readable = viewOf(viewed, devices);
    this.#views.set(viewed.lens, { devices, readable });
    return readable;
  }

  /** A view that was read before, of devices that are still the same. */
  #knownView({ device, lens }: Exclude<Viewed, string>): Readable | undefined {
    this.checkOpen();
    const view = this.#views.get(lens);
    const isKnown =
      view?.devices[0]?.id === device && view.devices.every((log) => this.#devices.atHand(log.id) === log);
    return isKnown ? view.readable : undefined;
  }

  protected async device(device: string): Promise<DeviceLog> {
    this.checkOpen();
    return doing(READING, () => this.#devices.get(device));
  }

  protected reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw diskError(error, READING);
    }
  }

  protected checkOpen(): void {
    if (this.isClosed) throw closed();
  }
}

const sumOf = (logs: readonly DeviceLog[], of: 'rows' | 'bytes') =>
  logs.reduce((sum, log) => sum + log[of], 0);
