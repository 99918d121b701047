import { machineClock, type MonotonicMs } from '../../../base/machine-clock.ts';
import { FairSemaphore } from '../../../turns/semaphore.ts';
import { retired } from '../../store-errors.ts';
import type { StoredRecord } from '../../store.ts';
import type { Database, DatabaseRow } from '../connection/connections.ts';
import { isLockTimeout } from '../connection/database-errors.ts';
import { firstKeys, type DeviceKeys } from '../rows/device-keys.ts';
import { newEpoch } from '../rows/head.ts';
import { shardOf, type Place } from '../rows/place.ts';
import type { Layout } from '../schema/migrate.ts';
import { appendAtOnce } from './append-once.ts';
import { appendInSteps, appendWithin } from './append-steps.ts';
import { appendedOf, ParcelQueue, reject, settle, untilOf, type Parcel, type Upload } from './parcels.ts';

/** Queues of one PostgreSQL: while some commit, this process makes the group of another one. */
const QUEUES = 4;
/** ms that a group waits for the lock of one of its devices; who holds it for longer is waited for apart. */
const LOCK_MS = 100;
/** Devices that are waited for at once, each on a connection of its own. */
const MOST_APART = 3;

const BEGIN_DEVICES = `INSERT INTO device_head (lane, device_id, epoch)
  SELECT $1, t.device_id, t.epoch FROM unnest($2::text[], $3::bigint[]) AS t(device_id, epoch)
  ON CONFLICT (lane, device_id) DO UPDATE SET dropped = false WHERE device_head.dropped AND device_head.retired_by IS NULL`;
/** Of several lanes: of one PostgreSQL alone. */
const NOT_LOCKED = `SELECT h.device_id FROM unnest($1::smallint[], $2::text[]) AS t(lane, device_id)
  JOIN device_head h ON h.lane = t.lane AND h.device_id = t.device_id FOR UPDATE OF h SKIP LOCKED`;

/**
 * Appends records, by group commit. Resolves once they are durable and in the next read of any process. A group has devices of any
 * lane on one PostgreSQL. Over several nodes it has those of a shard: of several it would be a two-phase commit.
 */
export class Appending {
  readonly #database: Database;
  readonly #layout: Layout;
  readonly #keys: DeviceKeys;
  readonly #filled: (place: Place, tailRows: number) => void;
  readonly #queues = new Map<number, ParcelQueue>();
  /** Devices whose lock somebody holds for long, so that nobody else waits for it. */
  readonly #apart = new Map<string, ParcelQueue>();
  readonly #waitingApart = new FairSemaphore(MOST_APART).of(null);
  readonly #running = new Set<Promise<void>>();
  /** Devices whose keys are being read: later appends to the same device wait. */
  readonly #holding = new Map<string, Promise<void>>();

  /** `filled` is told how many rows the tail of a device has now. */
  constructor(
    database: Database,
    layout: Layout,
    keys: DeviceKeys,
    filled: (place: Place, tailRows: number) => void,
  ) {
    this.#database = database;
    this.#layout = layout;
    this.#keys = keys;
    this.#filled = filled;
  }

  /**
   * In the order of the calls. Rejects with `retired`, KeyLimitReached, or as a change of the database does; at its deadline with
   * `unreachable` where nothing was sent.
   */
  append(
    place: Place,
    records: readonly StoredRecord[],
    receipt: string | null,
    untilMs: MonotonicMs = machineClock.monotonicIn(this.#database.patienceMs),
  ): Promise<'stored' | 'duplicate'> {
    const end = Promise.withResolvers<'stored' | 'duplicate'>();
    const keys = firstKeys(records);
    const uploads: Upload[] = [{ records, end, untilMs }];
    const put = (keyEpoch: number) =>
      this.#put({ place, uploads, receipt, keyEpoch, records: records.length });
    const before = this.#holding.get(place.device);
    const known = before ? null : this.#keys.known(place, keys);
    if (known !== null) {
      put(known);
      return end.promise;
    }
    this.#hold(place, () => this.#keys.hold(place, keys, { untilMs }).then(put, end.reject));
    return end.promise;
  }

  /** Has the keys of a device looked up once those before have been. */
  #hold({ device }: Place, work: () => Promise<void>): void {
    const held = (this.#holding.get(device) ?? Promise.resolve()).then(work).finally(() => {
      if (this.#holding.get(device) === held) this.#holding.delete(device);
    });
    this.#holding.set(device, held);
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running.size + this.#holding.size > 0)
      await Promise.all([...this.#running, ...this.#holding.values()]);
  }

  #put(parcel: Parcel): void {
    const queue = this.#queueOf(parcel.place);
    queue.put(parcel);
    if (!queue.isBusy) this.#start(this.#run(queue));
  }

  #queueOf({ lane, device }: Place): ParcelQueue {
    const apart = this.#apart.get(device);
    if (apart) return apart;
    const { isSpread, lanes } = this.#layout;
    const number = isSpread ? shardOf(lane, lanes) : lane % QUEUES;
    let queue = this.#queues.get(number);
    if (!queue) this.#queues.set(number, (queue = this.#newQueue()));
    return queue;
  }

  #newQueue(): ParcelQueue {
    return new ParcelQueue({
      leastMs: this.#database.leastMs,
      tooLate: (uploads) => reject([{ uploads }], this.#database.refusal()),
    });
  }

  #start(work: Promise<void>): void {
    const running = work.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(queue: ParcelQueue): Promise<void> {
    queue.isBusy = true;
    // Whoever sends in this turn shares the first commit.
    await Promise.resolve();
    while (!queue.isEmpty) await this.#store(queue.takeGroup(), queue);
    queue.isBusy = false;
  }

  /** Waits for the lock of a device as long as a statement may take, and then stores what came for it meanwhile, too. */
  async #runApart(device: string, queue: ParcelQueue): Promise<void> {
    queue.isBusy = true;
    while (!queue.isEmpty) await this.#waitingApart.run(() => this.#store(queue.takeGroup(), null));
    this.#apart.delete(device);
  }

  /** `queue`: where more of its devices wait; null for a group that waits for locks. */
  async #store(whole: readonly Parcel[], queue: ParcelQueue | null): Promise<void> {
    let group = whole;
    try {
      while (group.length > 0) {
        const rows = await this.#send(group, queue);
        if (rows === null) {
          settle(group, 'stored');
          return;
        }
        const left = rows === 'locked' ? await this.#part(group, queue) : await this.#end(group, rows);
        group = group.filter((parcel) => left.has(parcel));
      }
    } catch (error) {
      reject(group, error);
    }
  }

  async #send(
    group: readonly Parcel[],
    queue: ParcelQueue | null,
  ): Promise<readonly DatabaseRow[] | 'locked' | null> {
    const untilMs = untilOf(group);
    if (this.#layout.isSpread) return appendInSteps(this.#database, appendedOf(group), { untilMs });
    const lockMs = queue === null ? null : LOCK_MS;
    try {
      return await appendAtOnce(this.#database, appendedOf(group), { untilMs, lockMs });
    } catch (error) {
      if (lockMs !== null && isLockTimeout(error) && machineClock.monotonicMs() < untilMs) return 'locked';
      throw error;
    }
  }

  /** Sets the devices of a group apart that somebody has locked, and what else waits for them; returns the parcels that are left. */
  async #part(group: readonly Parcel[], queue: ParcelQueue | null): Promise<ReadonlySet<Parcel>> {
    const places = group.map(({ place }) => place);
    const params = [places.map(({ lane }) => lane), places.map(({ device }) => device)];
    const untilMs = untilOf(group);
    const [rows = []] = await this.#database.askAll([{ sql: NOT_LOCKED, params }], { untilMs });
    const isFree = new Set(rows.map((row) => row['device_id']));
    const left = group.filter(({ place }) => isFree.has(place.device));
    for (const parcel of group) {
      const { device } = parcel.place;
      if (isFree.has(device)) continue;
      const apart = this.#newQueue();
      this.#apart.set(device, apart);
      for (const each of [parcel, ...(queue?.takeDevice(device) ?? [])]) apart.put(each);
      this.#start(this.#runApart(device, apart));
    }
    return new Set(left);
  }

  /** Tells what became of a group; returns the parcels that are to be sent again, where it was not stored. */
  async #end(group: readonly Parcel[], rows: readonly DatabaseRow[]): Promise<ReadonlySet<Parcel>> {
    const heads = new Map(rows.map((row) => [row['device_id'] as string, row]));
    const refused = group.filter((parcel) => !isTaken(parcel, heads.get(parcel.place.device)));
    if (refused.length === 0) {
      for (const parcel of group) this.#stored(parcel, heads.get(parcel.place.device));
      return new Set();
    }
    const leaving = await this.#refuse(refused, heads);
    return new Set(group.filter((parcel) => !leaving.has(parcel)));
  }

  /** Handles the devices for which a whole group was not stored; returns the parcels that leave the group. */
  async #refuse(
    refused: readonly Parcel[],
    heads: ReadonlyMap<string, DatabaseRow>,
  ): Promise<ReadonlySet<Parcel>> {
    const headOf = ({ place }: Parcel) => heads.get(place.device);
    const gone = refused.filter((parcel) => (headOf(parcel)?.['retired_by'] ?? null) !== null);
    reject(gone, retired());
    const others = refused.filter((parcel) => !gone.includes(parcel));
    const unmade = others.filter((parcel) => headOf(parcel)?.['dropped'] !== false);
    if (unmade.length > 0) await this.#makeDevices(unmade);
    const stale = others.filter((parcel) => !unmade.includes(parcel));
    for (const parcel of stale) {
      this.#keys.forget(parcel.place.device);
      this.#later(parcel);
    }
    return new Set([...gone, ...stale]);
  }

  /** In the order in which groups lock them. */
  async #makeDevices(parcels: readonly Parcel[]): Promise<void> {
    const places = parcels.map(({ place }) => place);
    await this.#database.change(
      (transaction) =>
        transaction.askAll(
          [...Map.groupBy(places, ({ lane }) => lane)].map(([lane, some]) => ({
            sql: BEGIN_DEVICES,
            params: [lane, some.map(({ device }) => device), some.map(() => newEpoch())],
          })),
        ),
      { untilMs: untilOf(parcels), ...(places[0] && { lane: places[0].lane }) },
    );
  }

  /**
   * Stores uploads whose keys somebody has counted anew, by the transaction that holds their keys: of senders that count each other's
   * keys anew all would go on to do so. Each upload for itself, since one of them may bring one too many.
   */
  #later({ place, uploads, receipt }: Parcel): void {
    for (const upload of uploads)
      this.#hold(place, () => this.#storeHeld(place, upload, receipt).catch(upload.end.reject));
  }

  async #storeHeld(place: Place, upload: Upload, receipt: string | null): Promise<void> {
    const { records, untilMs } = upload;
    const { parcel, rows } = await this.#keys.holdAnd(
      place,
      firstKeys(records),
      async (transaction, keyEpoch) => {
        const whole = { place, uploads: [upload], receipt, keyEpoch, records: records.length };
        return { parcel: whole, rows: await appendWithin(transaction, appendedOf([whole])) };
      },
      { untilMs },
    );
    this.#stored(parcel, rows[0]);
  }

  #stored(parcel: Parcel, row: DatabaseRow | undefined): void {
    settle([parcel], row?.['seq'] === null ? 'duplicate' : 'stored');
    const tailRows = row?.['tail_rows'];
    if (typeof tailRows === 'number') this.#filled(parcel.place, tailRows);
  }
}

function isTaken({ keyEpoch }: Parcel, row: DatabaseRow | undefined): boolean {
  return row?.['retired_by'] === null && row['dropped'] === false && row['key_epoch'] === keyEpoch;
}
