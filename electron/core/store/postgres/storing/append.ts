import type { Micros } from '#shared/values/time.ts';
import { machineClock } from '../../../base/machine-clock.ts';
import { blocksOf } from '../../blocks/block/rows-to-blocks.ts';
import { writeBlocks, writeRows } from '../../blocks/block/record-bytes.ts';
import { ByteWriter } from '../../blocks/codec/bytes.ts';
import { retired } from '../../store-errors.ts';
import type { StoredRecord } from '../../store.ts';
import type { Database, DatabaseRow } from '../connection/connections.ts';
import { firstKeys, type DeviceKeys } from '../rows/device-keys.ts';
import { newEpoch } from '../rows/head.ts';
import { BLOCKS, ROWS } from '../rows/cached-device.ts';
import type { Place } from '../rows/place.ts';
import type { Layout } from '../schema/migrate.ts';
import { appendAtOnce, type Appended } from './append-once.ts';
import { appendInSteps } from './append-steps.ts';

/** Records that are packed into blocks before they are sent. */
const PACKED_RECORDS = 512;
/** Devices, and about how many bytes, that share a commit. */
const MOST_DEVICES = 512;
const MOST_RECORDS = 1 << 16;

const BEGIN_DEVICES = `INSERT INTO device_head (lane, device_id, epoch)
  SELECT $1, t.device_id, t.epoch FROM unnest($2::text[], $3::bigint[]) AS t(device_id, epoch)
  ON CONFLICT (lane, device_id) DO UPDATE SET dropped = false WHERE device_head.dropped AND device_head.retired_by IS NULL`;

/** Records that one caller, or several without receipts, store on a device. */
interface Parcel {
  readonly place: Place;
  readonly uploads: Upload[];
  readonly receipt: string | null;
  keyEpoch: number;
  records: number;
  /** Until when the first of its callers waits, in ms since 1970. */
  readonly untilMs: number;
}

interface Upload {
  readonly records: readonly StoredRecord[];
  readonly end: PromiseWithResolvers<'stored' | 'duplicate'>;
}

/** Group commit of a lane (shard): one group is under way, later appends share the next one. */
interface Lane {
  waiting: Parcel[];
  isBusy: boolean;
}

/** Appends records, by group commit. Resolves once they are durable and in the next read of any process. */
export class Appending {
  readonly #database: Database;
  readonly #send: typeof appendAtOnce;
  readonly #keys: DeviceKeys;
  readonly #filled: (place: Place, tailRows: number) => void;
  readonly #lanes = new Map<number, Lane>();
  readonly #running = new Set<Promise<void>>();
  /** Devices whose keys are being read: later appends to the same device wait. */
  readonly #holding = new Map<string, Promise<void>>();

  /** `filled` is told how many rows the tail of a device has now. */
  constructor(
    database: Database,
    { isSpread }: Layout,
    keys: DeviceKeys,
    filled: (place: Place, tailRows: number) => void,
  ) {
    this.#database = database;
    this.#send = isSpread ? appendInSteps : appendAtOnce;
    this.#keys = keys;
    this.#filled = filled;
  }

  /** In the order of the calls. Rejects with `retired`, KeyLimitReached, or as a change of the database does. */
  append(
    place: Place,
    records: readonly StoredRecord[],
    receipt: string | null,
  ): Promise<'stored' | 'duplicate'> {
    const end = Promise.withResolvers<'stored' | 'duplicate'>();
    const keys = firstKeys(records);
    const untilMs = machineClock.wallMs() + this.#database.patienceMs;
    const put = (keyEpoch: number) =>
      this.#put({ place, uploads: [{ records, end }], receipt, keyEpoch, records: records.length, untilMs });
    const before = this.#holding.get(place.device);
    const known = before ? null : this.#keys.known(place, keys);
    if (known !== null) {
      put(known);
      return end.promise;
    }
    const held = (before ?? Promise.resolve())
      .then(() => this.#keys.hold(place, keys))
      .then(put, end.reject)
      .finally(() => {
        if (this.#holding.get(place.device) === held) this.#holding.delete(place.device);
      });
    this.#holding.set(place.device, held);
    return end.promise;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running.size + this.#holding.size > 0)
      await Promise.all([...this.#running, ...this.#holding.values()]);
  }

  /** Queues a parcel, joined to one of the same device where neither has a receipt. */
  #put(parcel: Parcel): void {
    const { lane: number, device } = parcel.place;
    let lane = this.#lanes.get(number);
    if (!lane) this.#lanes.set(number, (lane = { waiting: [], isBusy: false }));
    const last = lane.waiting.findLast(({ place }) => place.device === device);
    const joins =
      last &&
      last.receipt === null &&
      parcel.receipt === null &&
      last.keyEpoch === parcel.keyEpoch &&
      last.records + parcel.records < PACKED_RECORDS;
    if (joins) {
      last.uploads.push(...parcel.uploads);
      last.records += parcel.records;
    } else {
      lane.waiting.push(parcel);
    }
    if (lane.isBusy) return;
    const run = this.#run(number, lane).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async #run(number: number, lane: Lane): Promise<void> {
    lane.isBusy = true;
    // Whoever sends in this turn shares the first commit.
    await Promise.resolve();
    while (lane.waiting.length > 0) {
      const group = takeGroup(lane);
      try {
        await this.#store(number, group);
      } catch (error) {
        for (const { uploads } of group) for (const { end } of uploads) end.reject(error);
      }
    }
    lane.isBusy = false;
  }

  async #store(lane: number, whole: readonly Parcel[]): Promise<void> {
    let group = whole;
    while (group.length > 0) {
      const untilMs = Math.min(...group.map((parcel) => parcel.untilMs));
      const rows = await this.#send(this.#database, lane, appendedOf(group), untilMs);
      if (rows === null) {
        settle(group, 'stored');
        return;
      }
      const heads = new Map(rows.map((row) => [row['device_id'] as string, row]));
      const refused = group.filter((parcel) => !isTaken(parcel, heads.get(parcel.place.device)));
      if (refused.length === 0) {
        for (const parcel of group) this.#stored(parcel, heads.get(parcel.place.device));
        return;
      }
      const late = await this.#again(lane, refused, heads);
      group = group.filter((parcel) => !late.has(parcel));
    }
  }

  /** Handles the devices for which a whole group was not stored; returns the parcels that leave the group. */
  async #again(
    lane: number,
    refused: readonly Parcel[],
    heads: ReadonlyMap<string, DatabaseRow>,
  ): Promise<ReadonlySet<Parcel>> {
    const leaving = new Set<Parcel>();
    const unmade: string[] = [];
    for (const parcel of refused) {
      const head = heads.get(parcel.place.device);
      if (head && head['retired_by'] !== null) {
        reject([parcel], retired());
        leaving.add(parcel);
      } else if (!head || head['dropped'] === true) {
        unmade.push(parcel.place.device);
      } else {
        leaving.add(parcel);
        this.#keys.forget(parcel.place.device);
        void this.#later(parcel);
      }
    }
    if (unmade.length > 0)
      await this.#database.change(
        (transaction) =>
          transaction.ask(BEGIN_DEVICES, [lane, unmade.toSorted(), unmade.map(() => newEpoch())]),
        { lane },
      );
    return leaving;
  }

  /** Its keys are held anew; each upload for itself, since one of them may bring one too many. */
  async #later({ place, uploads, receipt }: Parcel): Promise<void> {
    for (const { records, end } of uploads)
      await this.append(place, records, receipt).then(end.resolve, end.reject);
  }

  #stored(parcel: Parcel, row: DatabaseRow | undefined): void {
    settle([parcel], row?.['seq'] === null ? 'duplicate' : 'stored');
    const tailRows = row?.['tail_rows'];
    if (typeof tailRows === 'number') this.#filled(parcel.place, tailRows);
  }
}

/** The next parcels, one a device, in order of arrival. */
function takeGroup(lane: Lane): readonly Parcel[] {
  const group: Parcel[] = [];
  const later: Parcel[] = [];
  const devices = new Set<string>();
  let records = 0;
  for (const parcel of lane.waiting) {
    const { device } = parcel.place;
    const isFull = group.length >= MOST_DEVICES || (group.length > 0 && records >= MOST_RECORDS);
    if (isFull || devices.has(device)) {
      later.push(parcel);
    } else {
      group.push(parcel);
      records += parcel.records;
    }
    devices.add(device);
  }
  lane.waiting = later;
  // Two groups that lock the same devices do it in the same order.
  return group.toSorted((a, b) => (a.place.device < b.place.device ? -1 : 1));
}

function isTaken({ keyEpoch }: Parcel, row: DatabaseRow | undefined): boolean {
  return row?.['retired_by'] === null && row['dropped'] === false && row['key_epoch'] === keyEpoch;
}

function appendedOf(group: readonly Parcel[]): Appended {
  const parts = group.map(({ uploads }) => uploads.flatMap(({ records }) => records));
  const packed = parts.map(entryOf);
  return {
    devices: group.map(({ place }) => place.device),
    keyEpochs: group.map(({ keyEpoch }) => keyEpoch),
    rows: parts.map(({ length }) => length),
    received: group.map(({ uploads }) => latestReceived(uploads.at(-1)?.records ?? [])),
    first: parts.map((records) => timeOf(records, Math.min)),
    last: parts.map((records) => timeOf(records, Math.max)),
    kinds: packed.map(({ kind }) => kind),
    entries: packed.map(({ entry }) => entry),
    receipts: group.map(({ receipt }) => receipt),
  };
}

function entryOf(records: readonly StoredRecord[]): { readonly kind: number; readonly entry: Buffer } {
  const out = new ByteWriter(4096);
  if (records.length < PACKED_RECORDS) {
    writeRows(records, out);
    return { kind: ROWS, entry: out.copy() };
  }
  writeBlocks(blocksOf(records, -Infinity), out);
  return { kind: BLOCKS, entry: out.copy() };
}

function latestReceived(records: readonly StoredRecord[]): Micros {
  return records.reduce((latest, { received }) => Math.max(latest, received), -Infinity);
}

function timeOf(records: readonly StoredRecord[], pick: (a: number, b: number) => number): Micros {
  return records.reduce((time, { timestamp }) => pick(time, timestamp), records[0]?.timestamp ?? 0);
}

function settle(group: readonly Parcel[], answer: 'stored' | 'duplicate'): void {
  for (const { uploads } of group) for (const { end } of uploads) end.resolve(answer);
}

function reject(group: readonly Parcel[], error: Error): void {
  for (const { uploads } of group) for (const { end } of uploads) end.reject(error);
}
