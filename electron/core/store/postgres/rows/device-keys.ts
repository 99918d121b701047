import { KeyLimitReached, MOST_KEYS_OF_DEVICE } from '../../store-errors.ts';
import type { StoredRecord } from '../../store.ts';
import type { Asker, AskOptions, Database } from '../connection/connections.ts';
import { HistoryLru } from '../connection/history-lru.ts';
import { HEAD, headOf, lockToWrite, writeHead, type Head } from './head.ts';
import { addEntry } from './cached-device.ts';
import { keyBytes, keyOf } from './key-bytes.ts';
import { Memtable } from '../../blocks/query/memtable.ts';
import { MemoryRun } from '../../blocks/query/run.ts';
import { BufferedRows } from '../../blocks/query/sorted-rows.ts';
import type { Place } from './place.ts';

const KEYS = 'SELECT key FROM device_key WHERE lane = $1 AND device_id = $2';
const ADD =
  'INSERT INTO device_key (lane, device_id, key) SELECT $1, $2, t.key FROM unnest($3::bytea[]) AS t(key) ON CONFLICT (lane, device_id, key) DO NOTHING';
export const FORGET_KEYS = 'DELETE FROM device_key WHERE lane = $1 AND device_id = $2';
const TAIL = 'SELECT seq, kind, entry FROM tail WHERE lane = $1 AND device_id = $2 ORDER BY seq';
const LIVE = 'SELECT segment_id FROM segment WHERE lane = $1 AND device_id = $2 AND state = 1';
const KEYS_IN =
  'SELECT DISTINCT key FROM segment_key WHERE lane = $1 AND device_id = $2 AND segment_id = ANY($3::bigint[])';

/** Keys of all devices that are remembered here, about. */
const MOST_REMEMBERED = 1 << 20;

interface Remembered {
  readonly epoch: number;
  readonly keyEpoch: number;
  readonly keys: ReadonlySet<string>;
}

/** A key, and the first record that brings it; null where it came packed. */
export type FirstKeys = ReadonlyMap<string, number | null>;

/** Returns the keys of records in order of arrival; the first record is number `first`. */
export function firstKeys(records: readonly StoredRecord[], first = 0): Map<string, number> {
  const found = new Map<string, number>();
  let before: readonly string[] | null = null;
  for (const [i, { keys }] of records.entries()) {
    if (before !== null && (keys === before || isEqual(keys, before))) continue;
    for (const key of keys) if (!found.has(key)) found.set(key, first + i);
    before = keys;
  }
  return found;
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, i) => key === b[i]);
}

/**
 * The distinct keys of devices, which are limited: each is written under the device's lock before a record with it is
 * stored. A key that was seen need not be looked up again until the head's `key_epoch` goes up.
 */
export class DeviceKeys {
  readonly #database: Database;
  readonly #remembered: HistoryLru<string, Remembered>;

  constructor(database: Database) {
    this.#database = database;
    this.#remembered = new HistoryLru(database, MOST_REMEMBERED);
  }

  forget(device: string): void {
    this.#remembered.delete(device);
  }

  /** Returns as of which `key_epoch` the device may have these keys, as far as is known here; null where that is not. */
  known({ device }: Place, keys: FirstKeys): number | null {
    const known = this.#remembered.get(device);
    return known && hasAll(known.keys, keys) ? known.keyEpoch : null;
  }

  /**
   * Sees to it that the device may have these keys; resolves with the `key_epoch` as of which it may. Rejects with
   * KeyLimitReached, and with `retired`.
   */
  async hold(place: Place, keys: FirstKeys, options: AskOptions = {}): Promise<number> {
    const known = this.known(place, keys);
    if (known !== null) return known;
    const params = [place.lane, place.device];
    const asked = [HEAD, KEYS].map((sql) => ({ sql, params }));
    const [heads = [], rows = []] = await this.#database.askAll(asked, options);
    const head = headOf(heads[0]);
    const there = new Set(rows.map((row) => keyOf(row['key'] as Buffer)));
    // Keys that are there after the head was read may be gone with the next one: its `key_epoch` says so.
    if (head.epoch !== 0 && !head.isDropped && hasAll(there, keys)) return this.#remember(place, head, there);
    return this.holdAnd(place, keys, (_, keyEpoch) => Promise.resolve(keyEpoch), options);
  }

  /**
   * Sees to it that the device may have these keys, and calls `store` in the same transaction: nobody counts the keys anew
   * between the two. Resolves and rejects as `store` does; rejects with KeyLimitReached, and with `retired`.
   */
  async holdAnd<T>(
    place: Place,
    keys: FirstKeys,
    store: (transaction: Asker, keyEpoch: number) => Promise<T>,
    options: AskOptions = {},
  ): Promise<T> {
    const { held, result } = await this.#database.change(
      async (transaction) => {
        const locked = await lockToWrite(transaction, place);
        const all = await holdKeys(transaction, place, locked, keys);
        await writeHead(transaction, place, all.head);
        return { held: all, result: await store(transaction, all.head.keyEpoch) };
      },
      { ...options, lane: place.lane },
    );
    this.#remember(place, held.head, held.keys);
    return result;
  }

  #remember({ device }: Place, { epoch, keyEpoch }: Head, keys: ReadonlySet<string>): number {
    this.#remembered.set(device, { epoch, keyEpoch, keys }, 8 + keys.size);
    return keyEpoch;
  }
}

/** Holds keys in a transaction that has locked the head, which is yet to be written. */
export async function holdKeys(
  asker: Asker,
  place: Place,
  head: Head,
  keys: FirstKeys,
): Promise<{ readonly head: Head; readonly keys: ReadonlySet<string> }> {
  const params = [place.lane, place.device];
  const rows = await asker.ask(KEYS, params);
  let there = new Set(rows.map((row) => keyOf(row['key'] as Buffer)));
  const isCounted = there.size + missing(there, keys).length > MOST_KEYS_OF_DEVICE;
  if (isCounted) there = await keysOfRecords(asker, place);
  const added = missing(there, keys);
  const tooMuch = added[MOST_KEYS_OF_DEVICE - there.size];
  if (tooMuch !== undefined && there.size + added.length > MOST_KEYS_OF_DEVICE)
    throw new KeyLimitReached(keys.get(tooMuch) ?? null, tooMuch);
  // A device that has more from before keeps them and takes no others.
  if (added.length > 0 && there.size > MOST_KEYS_OF_DEVICE)
    throw new KeyLimitReached(keys.get(added[0] ?? '') ?? null, added[0] ?? '');
  if (isCounted) await asker.ask(FORGET_KEYS, params);
  const written = isCounted ? [...there, ...added] : added;
  if (written.length > 0) await asker.ask(ADD, [...params, written.map(keyBytes)]);
  for (const key of added) there.add(key);
  return { head: isCounted ? { ...head, keyEpoch: head.keyEpoch + 1 } : head, keys: there };
}

/** Returns the keys that records have, and no others. */
async function keysOfRecords(asker: Asker, place: Place): Promise<Set<string>> {
  const params = [place.lane, place.device];
  const [tail = [], live = []] = await asker.askAll([
    { sql: TAIL, params },
    { sql: LIVE, params },
  ]);
  const rows = await asker.ask(KEYS_IN, [...params, live.map((row) => row['segment_id'])]);
  const keys = new Set(rows.map((row) => keyOf(row['key'] as Buffer)));
  const memtable = new Memtable(-Infinity);
  for (const row of tail) addEntry(memtable, row);
  for (const source of memtable.sources(false))
    if (source instanceof BufferedRows) for (const { key } of source.buffer.columns) keys.add(key);
    else if (source instanceof MemoryRun)
      for (const { columns } of source.blocks) for (const { key } of columns) keys.add(key);
  return keys;
}

const missing = (there: ReadonlySet<string>, keys: FirstKeys) =>
  [...keys.keys()].filter((key) => !there.has(key));

function hasAll(there: ReadonlySet<string>, keys: FirstKeys): boolean {
  for (const key of keys.keys()) if (!there.has(key)) return false;
  return true;
}
