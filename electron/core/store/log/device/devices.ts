import { StoreError } from '../../../base/errors.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Awaitable } from '../../../base/awaitable.ts';
import type { Extent, LatestValue } from '../../store.ts';
import { isDeviceFolder } from './device-folder.ts';
import { DeviceLog } from './device-log.ts';
import { peekExtent, peekLastSeen } from './load.ts';
import { Pace } from '../../../turns/pace.ts';
import { readExtent } from '../../blocks/summary-reads.ts';
import type { Asleep } from './asleep.ts';
import type { Common } from './common.ts';
import type { Wal } from '../wal/wal.ts';

const NOTHING: Extent = { records: 0, first: null, last: null, bytes: 0 };

/** The logs of devices, loaded when first asked for. */
export class Devices {
  readonly loaded = new Map<string, DeviceLog>();
  /** Devices not asked for since the log was read. */
  #asleep: Asleep | null = null;
  /** Sleeping devices that take no more records. */
  readonly #retiredAsleep = new Set<string>();
  /** Devices that take no more records and hold none: of them only this is kept. */
  readonly #gone = new Set<string>();
  readonly #loading = new Map<string, Promise<DeviceLog>>();
  /** Of devices that were asked for their last contact only. */
  readonly #lastSeen = new Map<string, Micros | null>();
  /** Of devices that were asked for no more than that. */
  readonly #extents = new Map<string, Extent>();
  /** Folders that were there when all were listed. Who had none, and was not loaded since, holds nothing. */
  #folders: ReadonlySet<string> | null = null;
  readonly #common: Common;
  #wal: Wal | null = null;

  constructor(common: Common) {
    this.#common = common;
  }

  /** Sets the devices with a folder; called before any is loaded. */
  haveFolders(names: readonly string[]): void {
    this.#folders = new Set(names);
  }

  /** Devices that hold nothing as far as folders and what was loaded go, and are what these entries say. */
  haveAsleep(asleep: Asleep): void {
    this.#asleep = asleep;
  }

  /** Whether the log is as a stop left it that had the time to pack what many devices have there. */
  get areAsLeft(): boolean {
    if (this.#asleep === null || this.sleeping === 0 || !this.#asleep.arePacked) return false;
    return ![...this.loaded.values()].some((log) => log.isDirty);
  }

  /** Number of sleeping devices: in the log alone, and not asked for yet. */
  get sleeping(): number {
    return this.#asleep?.size ?? 0;
  }

  /** Recovery is over: entries from now on come after those that any device's manifest covers. */
  follow(wal: Wal): void {
    this.#wal = wal;
    for (const log of this.loaded.values()) {
      wal.follow(log.persisted);
      log.settle();
    }
  }

  /**
   * Without a wait, where nothing has to be read for it. Whoever waited would be overtaken by the next that asks: what
   * one writer sends at once is to stay in its order.
   */
  atHand(id: string): DeviceLog | undefined {
    const log = this.loaded.get(id);
    if (log !== undefined) return log;
    if (this.#gone.has(id)) return this.#empty(id);
    if (this.isAsleep(id)) {
      const woken = new DeviceLog(this.#common, id);
      this.#asleep?.wake(woken);
      if (this.#retiredAsleep.delete(id)) {
        woken.writers.refuse();
        woken.lifecycle.whenGone = () => this.#forget(id);
      }
      return this.#take(woken);
    }
    return this.holdsNothing(id) ? this.#takeNew(new DeviceLog(this.#common, id)) : undefined;
  }

  isAsleep(id: string): boolean {
    return this.#asleep?.has(id) ?? false;
  }

  get(id: string): Promise<DeviceLog> {
    const log = this.atHand(id);
    if (log !== undefined) return Promise.resolve(log);
    let loading = this.#loading.get(id);
    if (loading === undefined) {
      loading = this.#load(id).finally(() => this.#loading.delete(id));
      this.#loading.set(id, loading);
    }
    return loading;
  }

  /** Whether it takes no more records and holds none; there is nothing left to do for it. */
  isGone(id: string): boolean {
    return this.#gone.has(id);
  }

  /** Whether it sleeps, and takes no more records. */
  isRetiredAsleep(id: string): boolean {
    return this.#retiredAsleep.has(id);
  }

  /** How many records one that sleeps holds. */
  recordsAsleep(id: string): number {
    return this.#asleep?.records(id) ?? 0;
  }

  /** Removes a retired device that sleeps. */
  forgetAsleep(id: string): void {
    this.#asleep?.forget(id);
    this.#retiredAsleep.delete(id);
    this.#forget(id);
  }

  /** Refuses whatever is to be written to a device from now on; resolves when nothing is under way. */
  async retire(id: string): Promise<void> {
    if (this.#gone.has(id)) return;
    if (this.isAsleep(id)) {
      // Nobody writes to it.
      this.#retiredAsleep.add(id);
      return;
    }
    if (!this.loaded.has(id) && this.holdsNothing(id)) {
      this.#forget(id);
      return;
    }
    const log = await this.get(id);
    await log.writers.retire();
    // Not before: an earlier removal may end while the last append is still to be applied, which would be forgotten with it.
    log.lifecycle.whenGone = () => {
      // Of two removals the second may end when the device was loaded anew.
      if (this.loaded.get(id) === log) this.#forget(id);
    };
  }

  /** Takes it back: the device was not dropped after all. */
  async revive(id: string): Promise<void> {
    if (this.#gone.delete(id) || this.#retiredAsleep.delete(id)) return;
    const log = this.loaded.get(id) ?? (await this.#loading.get(id));
    if (log === undefined) return;
    log.lifecycle.whenGone = null;
    log.writers.accept();
  }

  /** Its last contact, without reading more of a device than that; at once, so that ten thousand take no turn each. */
  lastSeen(id: string): Awaitable<Micros | null> {
    const log = this.loaded.get(id);
    if (log !== undefined) return log.lastSeen;
    const known = this.#lastSeen.get(id);
    if (known !== undefined) return known;
    if (this.#gone.has(id) || this.holdsNothing(id)) return null;
    const peeked = this.isAsleep(id) ? this.#asleep?.lastSeen(id) : peekLastSeen(this.#common, id);
    if (peeked === undefined) return this.get(id).then(({ lastSeen }) => lastSeen);
    this.#lastSeen.set(id, peeked);
    return peeked;
  }

  /** Resolves with the extent of a device, without reading more of it. */
  async extent(id: string): Promise<Extent> {
    const log = this.loaded.get(id);
    if (log !== undefined) return log.rows === 0 ? { ...NOTHING, bytes: log.bytes } : readExtent(log);
    if (this.#gone.has(id) || this.holdsNothing(id)) return NOTHING;
    let extent = this.#extents.get(id);
    if (extent === undefined) {
      const asleep = this.#asleepAs(id);
      extent = asleep ? readExtent(asleep) : (peekExtent(this.#common, id) ?? readExtent(await this.get(id)));
      this.#extents.set(id, extent);
    }
    return extent;
  }

  /** Resolves with a device for a look at it alone: one that sleeps sleeps on, as ten thousand may be looked at. */
  async look(id: string): Promise<DeviceLog> {
    return this.#asleepAs(id) ?? this.get(id);
  }

  #asleepAs(id: string): DeviceLog | null {
    if (!this.isAsleep(id)) return null;
    const log = new DeviceLog(this.#common, id);
    this.#asleep?.read(log);
    return log;
  }

  /** Its last values; one that holds nothing is not even loaded. */
  async latest(device: string, keys: readonly string[] | null): Promise<readonly LatestValue[]> {
    if (!this.loaded.has(device) && (this.#gone.has(device) || this.holdsNothing(device))) return [];
    return (await this.get(device)).latest(keys);
  }

  /** Reads something of each, giving way to others after each slice of time. */
  async each<T, Of>(all: readonly Of[], read: (of: Of) => Awaitable<T>): Promise<T[]> {
    const found: T[] = [];
    const pace = new Pace();
    for (const each of all) {
      const value = read(each);
      found.push(value instanceof Promise ? await value : value);
      if (pace.isOver) await pace.pause();
    }
    return found;
  }

  /** Devices of which there is anything. */
  async stored(): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const { name, isDirectory } of await this.#common.files.list(this.#common.directory))
      if (isDirectory && isDeviceFolder(name)) found.add(name);
    this.#folders = new Set(found);
    for (const [id, log] of this.loaded) {
      if (log.exists) found.add(id);
      else found.delete(id);
    }
    return [...found, ...(this.#asleep?.ids() ?? [])];
  }

  #forget(id: string): void {
    this.#gone.add(id);
    this.loaded.delete(id);
    this.#lastSeen.delete(id);
    this.#extents.delete(id);
  }

  /** Returns the empty log of a removed device, for late callers. */
  #empty(id: string): DeviceLog {
    const log = new DeviceLog(this.#common, id);
    log.writers.refuse();
    return log;
  }

  /** Known without a look at the disk, which for thousands of devices would take seconds. */
  holdsNothing(id: string): boolean {
    const hasNoFolder = this.#folders !== null && isDeviceFolder(id) && !this.#folders.has(id);
    return hasNoFolder && !this.#loading.has(id) && !this.isAsleep(id);
  }

  async #load(id: string): Promise<DeviceLog> {
    if (!isDeviceFolder(id))
      throw new StoreError('io', `"${id}" is not a device id: letters, digits and "-" are.`);
    const log = new DeviceLog(this.#common, id);
    await log.load();
    return log.folder.present ? this.#take(log) : this.#takeNew(log);
  }

  /** One of which there is nothing: of one that was removed the log may still tell, which what is imported now must outlive. */
  #takeNew(log: DeviceLog): DeviceLog {
    if (this.#wal !== null) log.beginAfter(this.#wal.lastSequence);
    return this.#take(log);
  }

  #take(log: DeviceLog): DeviceLog {
    if (this.#wal !== null) {
      this.#wal.follow(log.persisted);
      log.settle();
    }
    this.loaded.set(log.id, log);
    return log;
  }
}
