import type { Micros } from '#shared/values/time.ts';
import { machineClock, type MonotonicMs } from '../../../base/machine-clock.ts';
import { blocksOf } from '../../blocks/block/rows-to-blocks.ts';
import { writeBlocks, writeRows } from '../../blocks/block/record-bytes.ts';
import { ByteWriter } from '../../blocks/codec/bytes.ts';
import type { StoredRecord } from '../../store.ts';
import { BLOCKS, ROWS } from '../rows/cached-device.ts';
import type { Place } from '../rows/place.ts';
import type { Appended } from './append-once.ts';

/** Records that are packed into blocks before they are sent. */
const PACKED_RECORDS = 512;
/** Devices, and about how many records, that share a commit. */
const MOST_DEVICES = 512;
const MOST_RECORDS = 1 << 16;

/** Records that one caller, or several without receipts, store on a device. */
export interface Parcel {
  readonly place: Place;
  uploads: Upload[];
  readonly receipt: string | null;
  readonly keyEpoch: number;
  records: number;
}

export interface Upload {
  readonly records: readonly StoredRecord[];
  readonly end: PromiseWithResolvers<'stored' | 'duplicate'>;
  /** Until when its caller waits. */
  readonly untilMs: MonotonicMs;
}

export interface ParcelQueueOptions {
  /** ms before the deadline of an upload at which it is no longer sent. */
  readonly leastMs: number;
  /** Gets the uploads that waited until then: nothing of them was sent. */
  readonly tooLate: (uploads: readonly Upload[]) => void;
}

/** Parcels that wait for a group commit, of which one is under way; each upload waits until its deadline at most. */
export class ParcelQueue {
  isBusy = false;
  readonly #options: ParcelQueueOptions;
  #waiting: Parcel[] = [];
  /** Of each device. */
  #last = new Map<string, Parcel>();
  /** For the earliest deadline; one that finds nothing is cheaper than one a commit. */
  #timer: { readonly timeout: NodeJS.Timeout; readonly untilMs: MonotonicMs } | null = null;

  constructor(options: ParcelQueueOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Adds a parcel, joined to the last one of its device where neither has a receipt. */
  put(parcel: Parcel): void {
    const last = this.#last.get(parcel.place.device);
    const joins =
      last &&
      last.receipt === null &&
      parcel.receipt === null &&
      last.keyEpoch === parcel.keyEpoch &&
      last.records + parcel.records < PACKED_RECORDS;
    this.#watch(untilOf([parcel]));
    if (joins) {
      last.uploads.push(...parcel.uploads);
      last.records += parcel.records;
    } else {
      this.#waiting.push(parcel);
      this.#last.set(parcel.place.device, parcel);
    }
  }

  /** Removes the next parcels, one a device, in order of arrival; returns them in the order in which all groups lock their devices. */
  takeGroup(): readonly Parcel[] {
    const devices = new Set<string>();
    let [size, records] = [0, 0];
    const group = this.#take((parcel) => {
      const { device } = parcel.place;
      const isFull = size >= MOST_DEVICES || (size > 0 && records >= MOST_RECORDS);
      const isTaken = !isFull && !devices.has(device);
      devices.add(device);
      if (isTaken) [size, records] = [size + 1, records + parcel.records];
      return isTaken;
    });
    return group.toSorted(({ place: a }, { place: b }) => a.lane - b.lane || (a.device < b.device ? -1 : 1));
  }

  /** Removes the parcels of a device, and returns them in order of arrival. */
  takeDevice(device: string): readonly Parcel[] {
    return this.#take(({ place }) => place.device === device);
  }

  #take(isWanted: (parcel: Parcel) => boolean): Parcel[] {
    const taken: Parcel[] = [];
    const left: Parcel[] = [];
    for (const parcel of this.#waiting) (isWanted(parcel) ? taken : left).push(parcel);
    this.#waiting = left;
    this.#last = new Map(left.map((parcel) => [parcel.place.device, parcel]));
    return taken;
  }

  #watch(untilMs: MonotonicMs): void {
    if (this.#timer !== null && this.#timer.untilMs <= untilMs) return;
    clearTimeout(this.#timer?.timeout);
    const left = untilMs - this.#options.leastMs - machineClock.monotonicMs();
    this.#timer = { timeout: machineClock.after(Math.max(0, left), () => this.#expire()).unref(), untilMs };
  }

  /** Removes the uploads whose time is up. */
  #expire(): void {
    this.#timer = null;
    const lastMs = machineClock.monotonicMs() + this.#options.leastMs;
    const late: Upload[] = [];
    for (const parcel of this.#waiting) {
      late.push(...parcel.uploads.filter(({ untilMs }) => untilMs <= lastMs));
      parcel.uploads = parcel.uploads.filter(({ untilMs }) => untilMs > lastMs);
      parcel.records = parcel.uploads.reduce((sum, { records }) => sum + records.length, 0);
    }
    this.#take(({ uploads }) => uploads.length === 0);
    if (!this.isEmpty) this.#watch(untilOf(this.#waiting));
    this.#options.tooLate(late);
  }
}

/** Returns the earliest deadline of those who sent parcels. */
export function untilOf(parcels: readonly Parcel[]): MonotonicMs {
  let earliest = Infinity;
  for (const { uploads } of parcels)
    for (const { untilMs } of uploads) earliest = Math.min(earliest, untilMs);
  return earliest as MonotonicMs;
}

/** Returns what of a group is sent. */
export function appendedOf(group: readonly Parcel[]): Appended {
  const parts = group.map(({ uploads }) => uploads.flatMap(({ records }) => records));
  const packed = parts.map(entryOf);
  return {
    lanes: group.map(({ place }) => place.lane),
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

/** Tells the callers of parcels what became of them. */
export function settle(group: readonly Parcel[], answer: 'stored' | 'duplicate'): void {
  for (const { uploads } of group) for (const { end } of uploads) end.resolve(answer);
}

/** Tells the callers of parcels why nothing of them was stored, or that nobody knows. */
export function reject(group: readonly { readonly uploads: readonly Upload[] }[], error: unknown): void {
  for (const { uploads } of group) for (const { end } of uploads) end.reject(error);
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
