import { KeyLimitReached, MOST_KEYS_OF_DEVICE } from '../../store-errors.ts';
import type { StoredRecord } from '../../store.ts';

/** What a device holds, as far as its keys go. */
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
  /** Those of some more records, the first of them number `first`. Throws KeyLimitReached; what was held before still is. */
  add(records: readonly StoredRecord[], first?: number): void;
  /** The same for keys of packed records. */
  addKeys(keys: Iterable<string>): void;
  /** They are stored, or none of them is. May be called again, without effect. */
  settle(isStored: boolean): void;
}

interface Key {
  /** Whether a record with it is stored. */
  isStored: boolean;
  /** What is on its way and brings it. */
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

  constructor(sources: KeySources) {
    this.#sources = sources;
  }

  hold(): HeldKeys {
    const held = new Set<Key>();
    let before: readonly string[] = [];
    return {
      add: (records, first = 0) => {
        for (const [index, { keys }] of records.entries()) {
          if (areEqual(keys, before)) continue;
          for (const key of keys) this.#take(key, first + index, held);
          before = keys;
        }
      },
      addKeys: (keys) => {
        for (const key of keys) this.#take(key, null, held);
      },
      settle: (isStored) => {
        for (const key of held) {
          key.holders--;
          key.isStored ||= isStored;
        }
        if (!isStored && held.size > 0) this.#sweep();
        held.clear();
      },
    };
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

  #take(name: string, record: number | null, held: Set<Key>): void {
    let key = this.#keys.get(name);
    if (key === undefined) {
      if (!this.#isLoaded) this.#load();
      if (this.#count >= MOST_KEYS_OF_DEVICE && !this.#isExact) this.#countAll();
      key = this.#keys.get(name);
      if (key === undefined) {
        if (this.#count >= MOST_KEYS_OF_DEVICE) throw new KeyLimitReached(record, name);
        this.#keys.set(name, (key = { isStored: false, holders: 0 }));
      }
    }
    if (held.has(key)) return;
    held.add(key);
    key.holders++;
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

  /** Forgets keys that nobody has or brings. */
  #sweep(): void {
    for (const [name, { isStored, holders }] of this.#keys)
      if (!isStored && holders === 0) this.#keys.delete(name);
  }
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((key, i) => key === b[i]));
}
