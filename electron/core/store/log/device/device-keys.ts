import { KeyLimitReached, MOST_KEYS_OF_DEVICE } from '../../store-errors.ts';
import type { StoredRecord } from '../../store.ts';

/** Sources of a device's keys. */
export interface KeySources {
  /** At least as many keys as there are in segments, counted without opening one; null where that is not known. */
  most(): number | null;
  /** Keys that are in no segment yet, some of them several times. */
  unsaved(): Iterable<string>;
  /** Every key, some of them several times. */
  all(): Iterable<string>;
}

/** The keys of records that are on their way into the device. */
export interface HeldKeys {
  /** Holds the keys of more records, the first of them number `first`. Throws KeyLimitReached; earlier holds stay. */
  add(records: readonly StoredRecord[], first?: number): void;
  /** The same for keys of packed records. */
  addKeys(keys: Iterable<string>): void;
  /** Ends the hold: the keys are stored, or none is. May be called again, without effect. */
  settle(isStored: boolean): void;
}

/** Returns the keys of a device without records. */
export const ownKeys = () => new DeviceKeys({ most: () => 0, unsaved: () => [], all: () => [] });

interface Key {
  /** Whether a record with it is stored. */
  isStored: boolean;
  /** Batches under way that bring the key. */
  holders: number;
}

/**
 * The distinct keys of a device, which are limited. They are held before anything is written, so that what is stored at
 * the same time does not pass the limit together; a device that has more from before keeps them and takes no others.
 * Segments are not opened for it while the manifest alone tells that there are few.
 */
export class DeviceKeys {
  readonly #sources: KeySources;
  readonly #keys = new Map<string, Key>();
  /** At least as many as are in segments and not in `#keys`. */
  #others = 0;
  #isLoaded = false;
  /** Whether `#keys` has all that are stored and no others. */
  #isExact = false;
  #holding: Holding | null = null;

  constructor(sources: KeySources) {
    this.#sources = sources;
  }

  hold(): HeldKeys {
    this.#holding ??= {
      find: (name, record) => this.#find(name, record),
      sweep: () => this.#sweep(),
    };
    return new Held(this.#holding);
  }

  /**
   * Holds the keys of segments that are to come back: at most `most` of them, null where that is not known, or those of
   * `all`, which is asked where it matters. Throws KeyLimitReached.
   */
  holdAgain(most: number | null, all: () => Iterable<string>): Pick<HeldKeys, 'settle'> {
    if (!this.#isLoaded) this.#load();
    if (most === null || this.#count + most > MOST_KEYS_OF_DEVICE) return this.#holdAll(all());
    const come = () => {
      this.#others += most;
      this.#isExact = false;
    };
    come();
    // Others may have been counted meanwhile, without these. Too many are counted anew where that matters.
    return { settle: (isStored) => void (isStored && come()) };
  }

  #holdAll(keys: Iterable<string>): HeldKeys {
    const held = this.hold();
    try {
      held.addKeys(keys);
      return held;
    } catch (error) {
      held.settle(false);
      throw error;
    }
  }

  /** Records went: which keys are left is found out when it matters. */
  changed(): void {
    this.#isExact = false;
  }

  /** All records went. */
  clear(): void {
    for (const key of this.#keys.values()) key.isStored = false;
    this.#sweep();
    this.#others = 0;
    this.#isLoaded = this.#isExact = false;
  }

  #find(name: string, record: number | null): Key {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    if (!this.#isLoaded) this.#load();
    if (this.#count >= MOST_KEYS_OF_DEVICE && !this.#isExact) this.#countAll();
    const found = this.#keys.get(name);
    if (found !== undefined) return found;
    if (this.#count >= MOST_KEYS_OF_DEVICE) throw new KeyLimitReached(record, name);
    const key = { isStored: false, holders: 0 };
    this.#keys.set(name, key);
    return key;
  }

  get #count(): number {
    return this.#keys.size + this.#others;
  }

  #load(): void {
    this.#isLoaded = true;
    for (const key of this.#sources.unsaved()) this.#addStored(key);
    this.#others = this.#sources.most() ?? Infinity;
  }

  #countAll(): void {
    for (const key of this.#keys.values()) key.isStored = false;
    for (const key of this.#sources.all()) this.#addStored(key);
    this.#sweep();
    this.#others = 0;
    this.#isExact = true;
  }

  #addStored(name: string): void {
    const key = this.#keys.get(name);
    if (key === undefined) this.#keys.set(name, { isStored: true, holders: 0 });
    else key.isStored = true;
  }

  #sweep(): void {
    for (const [name, { isStored, holders }] of this.#keys)
      if (!isStored && holders === 0) this.#keys.delete(name);
  }
}

interface Holding {
  /** A key, known or new. Throws KeyLimitReached. */
  find(name: string, record: number | null): Key;
  /** Removes keys without records or holders. */
  sweep(): void;
}

/** Most records of an upload, and most uploads of a device, have the same keys: it costs one list then. */
class Held implements HeldKeys {
  readonly #of: Holding;
  #keys: Key[] = [];
  /** The same once there was more than one list of keys. */
  #known: Set<Key> | null = null;
  #before: readonly string[] | null = null;

  constructor(of: Holding) {
    this.#of = of;
  }

  add(records: readonly StoredRecord[], first = 0): void {
    for (let i = 0; i < records.length; i++) {
      const { keys } = records[i]!;
      if (this.#before !== null && areEqual(keys, this.#before)) continue;
      this.#hold(keys, first + i);
      this.#before = keys;
    }
  }

  addKeys(keys: Iterable<string>): void {
    this.#hold(keys, null);
  }

  settle(isStored: boolean): void {
    for (const key of this.#keys) {
      key.holders--;
      key.isStored ||= isStored;
    }
    if (!isStored && this.#keys.length > 0) this.#of.sweep();
    this.#keys = [];
    this.#known = this.#before = null;
  }

  #hold(names: Iterable<string>, record: number | null): void {
    if (this.#keys.length > 0) this.#known ??= new Set(this.#keys);
    for (const name of names) {
      const key = this.#of.find(name, record);
      if (this.#known?.has(key) === true) continue;
      this.#known?.add(key);
      this.#keys.push(key);
      key.holders++;
    }
  }
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((key, i) => key === b[i]));
}
