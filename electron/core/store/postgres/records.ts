import type { Micros, TimeRange } from '#shared/values/time.ts';
import { StoreError } from '../../base/errors.ts';
import { systemRandom } from '../../base/system-random.ts';
import { checkRecords } from '../blocks/block/record-bytes.ts';
import type { SeriesQuery } from '../blocks/series/series.ts';
import { isReceipt } from '../receipt.ts';
import { closed, retired } from '../store-errors.ts';
import type {
  AppendOptions,
  Batch,
  CheckOptions,
  Columns,
  DeviceSummary,
  Extent,
  KeptRecords,
  LatestQuery,
  LatestValue,
  Page,
  PageQuery,
  RecordStore,
  Series,
  StoredCheck,
  StoredRecord,
  Viewed,
} from '../store.ts';
import { DEFAULT_LIMITS, type RecordLimits } from './record-limits.ts';
import { Appending } from './storing/append.ts';
import { StagedBatch } from './storing/batch.ts';
import { checkStored, NOTHING } from './reading/checking.ts';
import type { Database } from './connection/connections.ts';
import { HistoryLru } from './connection/history-lru.ts';
import { DeviceKeys } from './rows/device-keys.ts';
import { HEAD, headOf } from './rows/head.ts';
import { DeviceCache } from './reading/device-cache.ts';
import type { Layout } from './schema/migrate.ts';
import { placeOf, type Place } from './rows/place.ts';
import type { BlockCache } from './reading/reading.ts';
import { Reads } from './reading/reads.ts';
import { scanKept } from './reading/scan-kept.ts';
import { checkRetired, Removing } from './upkeep/removing.ts';
import { BackgroundCompaction } from './upkeep/background-compaction.ts';
import { GarbageRounds } from './upkeep/garbage-rounds.ts';

/** Of all lanes, and so of all nodes: asked at the start, and by whoever looks for what is left over. */
const DEVICES =
  'SELECT device_id FROM device_head WHERE NOT dropped AND (rows > 0 OR last_seen IS NOT NULL OR purged_at IS NOT NULL)';
const KEEPING = 'SELECT DISTINCT device_id FROM kept';
const IS_KEPT = 'SELECT name FROM kept WHERE lane = $1 AND device_id = $2 LIMIT 1';
const REVIVE =
  'UPDATE device_head SET retired_by = NULL WHERE lane = $1 AND device_id = ANY($2::text[]) AND retired_by = $3 AND NOT dropped';

/** Opens the records of all devices in a database that `migrate` has brought to the latest version. It stays the caller's. */
export function openPostgresRecords(
  database: Database,
  layout: Layout,
  limits: Partial<RecordLimits> = {},
): RecordStore {
  return new PostgresRecords(database, layout, { ...DEFAULT_LIMITS, ...limits });
}

/** Records as the local engine's blocks, in a database that several processes share: what all know is in its rows. */
class PostgresRecords implements RecordStore {
  readonly threadWork = null;
  readonly recovery = [];
  readonly #id = systemRandom.uuid();
  readonly #database: Database;
  readonly #lanes: number;
  readonly #limits: RecordLimits;
  readonly #keys: DeviceKeys;
  readonly #appending: Appending;
  readonly #reads: Reads;
  readonly #removing: Removing;
  readonly #compaction: BackgroundCompaction;
  readonly #garbage: GarbageRounds;
  readonly #batches = new Set<StagedBatch>();
  readonly #retired = new Set<string>();
  #isClosed = false;

  constructor(database: Database, layout: Layout, limits: RecordLimits) {
    this.#database = database;
    this.#lanes = layout.lanes;
    this.#limits = limits;
    const devices = new DeviceCache(database, limits.knownBytes);
    const cache: BlockCache = new HistoryLru(database, limits.blockBytes);
    this.#keys = new DeviceKeys(database);
    this.#compaction = new BackgroundCompaction({ database, devices, cache, limits });
    this.#garbage = new GarbageRounds({ database, limits });
    this.#appending = new Appending(database, layout, this.#keys, (place, rows) =>
      this.#compaction.filled(place, rows),
    );
    this.#reads = new Reads(database, devices, cache, layout);
    this.#removing = new Removing(database, limits.segmentRows);
  }

  async append(
    device: string,
    records: readonly StoredRecord[],
    { receipt, untilMs }: AppendOptions = {},
  ): Promise<'stored' | 'duplicate'> {
    if (records.length === 0) return 'stored';
    if (receipt !== undefined && !isReceipt(receipt))
      throw new StoreError('io', 'A receipt is 1 to 255 visible ASCII characters; nothing was stored.');
    checkRecords(records);
    return this.#appending.append(this.#place(device), records, receipt ?? null, untilMs);
  }

  async batch(device: string): Promise<Batch> {
    const place = this.#place(device);
    const head = headOf((await this.#database.ask(HEAD, [place.lane, device]))[0]);
    checkRetired(head);
    const parts = {
      database: this.#database,
      keys: this.#keys,
      segmentRows: this.#limits.segmentRows,
      ended: (ended: StagedBatch) => void this.#batches.delete(ended),
      committed: (of: Place) => this.#compaction.want(of),
    };
    const batch = new StagedBatch(parts, place, head.epoch === 0 ? null : head.epoch);
    this.#batches.add(batch);
    return batch;
  }

  async revision(device: string): Promise<number> {
    const { lane } = this.#place(device);
    return headOf((await this.#database.ask(HEAD, [lane, device]))[0]).revision;
  }

  async page(device: Viewed, query: PageQuery): Promise<Page> {
    return this.#open.page(device, query);
  }

  async columns(device: Viewed, query: PageQuery & { readonly keys: readonly string[] }): Promise<Columns> {
    return this.#open.columns(device, query);
  }

  async *scan(device: Viewed, range?: TimeRange): AsyncGenerator<readonly StoredRecord[]> {
    yield* this.#open.scan(device, range);
  }

  async count(device: Viewed, range?: TimeRange): Promise<number> {
    return this.#open.count(device, range);
  }

  readonly countWith: RecordStore['countWith'] = async (device, ...asked) =>
    this.#open.countWith(device, ...asked);

  async within(device: Viewed, range: TimeRange): Promise<Omit<Extent, 'bytes'>> {
    return this.#open.within(device, range);
  }

  async keys(device: Viewed, signal?: AbortSignal): Promise<readonly string[]> {
    return this.#open.keys(device, signal);
  }

  async summary(device: Viewed, signal?: AbortSignal): Promise<DeviceSummary> {
    return this.#open.summary(device, signal);
  }

  async extents(devices: readonly Viewed[]): Promise<readonly Extent[]> {
    return this.#open.extents(devices);
  }

  async lastSeen(devices: readonly string[]): Promise<readonly (Micros | null)[]> {
    return this.#open.lastSeen(devices);
  }

  async latest(asked: readonly LatestQuery[]): Promise<readonly (readonly LatestValue[])[]> {
    return this.#open.latest(asked);
  }

  async series(device: Viewed, query: SeriesQuery): Promise<Series> {
    return this.#open.series(device, query);
  }

  async intervals(device: Viewed, keys: readonly string[]): Promise<readonly number[]> {
    return this.#open.intervals(device, keys);
  }

  readonly readings: RecordStore['readings'] = async (device, asked) => this.#open.readings(device, asked);

  async purge(device: string, at: Micros): Promise<number> {
    return this.#removing.purge(this.#place(device), at);
  }

  async deleteRange(device: string, range: TimeRange): Promise<number> {
    return this.#removing.range(this.#place(device), range);
  }

  async keep(
    device: string,
    name: string,
    removal: { readonly range: TimeRange } | { readonly at: Micros },
  ): Promise<KeptRecords> {
    return this.#removing.keep(this.#place(device), name, removal);
  }

  async restore(device: string, name: string): Promise<boolean> {
    const place = this.#place(device);
    const isBack = await this.#removing.restore(place, name);
    if (isBack) this.#compaction.want(place);
    return isBack;
  }

  async discard(device: string, name: string): Promise<boolean> {
    return this.#removing.discard(this.#place(device), name);
  }

  async kept(device: string): Promise<readonly KeptRecords[]> {
    return this.#removing.kept(this.#place(device));
  }

  async *scanKept(device: string, name: string): AsyncGenerator<readonly StoredRecord[]> {
    yield* scanKept(this.#database, this.#place(device), name);
  }

  async retire(device: string): Promise<void> {
    await this.#removing.retire(this.#place(device), this.#id);
    this.#retired.add(device);
    const under = [...this.#batches].filter(({ place }) => place.device === device);
    await Promise.all(under.map((batch) => batch.retire(retired())));
  }

  async revive(device: string): Promise<void> {
    await this.#removing.revive(this.#place(device));
    this.#retired.delete(device);
  }

  async drop(device: string): Promise<number> {
    const rows = await this.#removing.drop(this.#place(device));
    // What is dropped stays retired: close() has nothing to do for it.
    this.#retired.delete(device);
    return rows;
  }

  async isEmpty(device: string): Promise<boolean> {
    const { lane } = this.#place(device);
    const [heads = [], kept = []] = await this.#database.askAll([
      { sql: HEAD, params: [lane, device] },
      { sql: IS_KEPT, params: [lane, device] },
    ]);
    return headOf(heads[0]).rows === 0 && kept.length === 0;
  }

  async check(device: string | null, options: CheckOptions = {}): Promise<StoredCheck> {
    this.#checkOpen();
    return device === null ? NOTHING : checkStored(this.#database, this.#place(device), options);
  }

  async devices(): Promise<readonly string[]> {
    this.#checkOpen();
    const answers = await this.#database.askAll([DEVICES, KEEPING].map((sql) => ({ sql, params: [] })));
    return [...new Set(answers.flat().map((row) => row['device_id'] as string))];
  }

  /** Ends work under way and drops background work; devices that it retired take records again. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#compaction.stop();
    this.#garbage.stop();
    await this.#appending.idle();
    await Promise.all([...this.#batches].map((batch) => batch.abort()));
    await Promise.all([this.#compaction.idle(), this.#garbage.idle()]);
    for (const [lane, devices] of byLane([...this.#retired], this.#lanes))
      await this.#database.change((transaction) => transaction.ask(REVIVE, [lane, devices, this.#id]), {
        lane,
      });
  }

  /** The reads, unless it is closed. */
  get #open(): Reads {
    this.#checkOpen();
    return this.#reads;
  }

  #place(device: string): Place {
    this.#checkOpen();
    return placeOf(device, this.#lanes);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw closed();
  }
}

/** The devices of each lane. */
function byLane(devices: readonly string[], lanes: number): Map<number, string[]> {
  return Map.groupBy(devices, (device) => placeOf(device, lanes).lane);
}
