import { StoreError } from '../../../base/errors.ts';
import type { Database, DatabaseRow } from '../connection/connections.ts';
import { HistoryLru } from '../connection/history-lru.ts';
import { HEAD, headOf, type Head } from '../rows/head.ts';
import { CachedDevice } from '../rows/cached-device.ts';
import type { Place } from '../rows/place.ts';
import { StoredSegment } from '../rows/segment.ts';

/** Entries behind the last one that is known. */
const TAIL_SINCE =
  'SELECT seq, kind, entry FROM tail WHERE lane = $1 AND device_id = $2 AND seq > $3 ORDER BY seq';
export const SEGMENTS =
  'SELECT segment_id, age, rows, bytes, first, last, received, blocks FROM segment WHERE lane = $1 AND device_id = $2 AND state = 1';
const TRIES = 20;

/**
 * Cache of devices, checked at each look. An entry holds for as long as the device's head has the same version, so a look
 * mostly costs one round trip: the entries of the tail behind the last one known, then the head. In this order: had the head
 * been asked first, a seal between the two could hide rows that are in neither. Nothing hangs on being told of a change.
 */
export class DeviceCache {
  readonly #database: Database;
  readonly #known: HistoryLru<string, CachedDevice>;

  /** `most`: soft limit of the bytes of all entries. */
  constructor(database: Database, most: number) {
    this.#database = database;
    this.#known = new HistoryLru(database, most);
  }

  /** Resolves with a device as it was at some moment after the call, or newer. */
  async at(place: Place): Promise<CachedDevice> {
    const known = this.#known.get(place.device);
    if (known && (await this.#isKnown(place, known))) return known;
    return this.#anew(place);
  }

  /** Drops a device from the cache. */
  forget(device: string): void {
    this.#known.delete(device);
  }

  /** Returns the entry of a device, which may be old; null for none. */
  known(device: string): CachedDevice | null {
    return this.#known.get(device) ?? null;
  }

  async #isKnown({ lane, device }: Place, known: CachedDevice): Promise<boolean> {
    const { head: before, seen } = known;
    const { history } = this.#database;
    const [tail = [], heads = []] = await this.#database.askAll([
      { sql: TAIL_SINCE, params: [lane, device, seen] },
      { sql: HEAD, params: [lane, device] },
    ]);
    const head = headOf(heads[0]);
    if (history !== this.#database.history) return false;
    if (isBefore(head, before)) {
      this.#database.hasGoneBack();
      return false;
    }
    // Who looked at the same time may know what is newer than this; what is only as new may lack what came just now.
    if (!known.isOf(before) || !known.isOf(head)) return known.isAfter(head);
    // Between what was known and this head the segments stayed the same, so the tail is that of the same segments.
    known.extend(head, tail);
    return true;
  }

  async #anew({ lane, device }: Place): Promise<CachedDevice> {
    const key = [lane, device];
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const { history } = this.#database;
      const [heads = [], segments = [], tail = [], again = []] = await this.#database.askAll([
        { sql: HEAD, params: key },
        { sql: SEGMENTS, params: key },
        { sql: TAIL_SINCE, params: [...key, 0] },
        { sql: HEAD, params: key },
      ]);
      const head = headOf(heads[0]);
      const after = headOf(again[0]);
      if (head.epoch !== after.epoch || head.version !== after.version) continue;
      if (history !== this.#database.history) continue;
      return this.#keep(device, after, segments, tail);
    }
    throw new StoreError('io', 'The device changes faster than it can be read. Read again.');
  }

  #keep(
    device: string,
    head: Head,
    segments: readonly DatabaseRow[],
    tail: readonly DatabaseRow[],
  ): CachedDevice {
    if (head.epoch === 0) {
      this.#known.delete(device);
      return new CachedDevice(this.#database.history);
    }
    const known = this.#known.get(device) ?? new CachedDevice(this.#database.history);
    known.replace(
      head,
      segments.map((row) => new StoredSegment(row)),
      tail,
    );
    this.#known.set(device, known, known.weight);
    return known;
  }
}

/** Whether a head that was asked for later is older: no commit does that. */
const isBefore = (later: Head, known: Head) =>
  later.epoch === known.epoch &&
  (later.version < known.version || (later.version === known.version && later.nextSeq < known.nextSeq));
