import type { LatestValue } from '../store.ts';
import { readLatest } from './latest-reads.ts';
import type { Readable } from './readable.ts';

/** Keys of which values are remembered: a list shows three of a device, and one has up to 4,096. */
const MOST_KEYS = 16;
/** Characters of a cached value at most: longer texts, up to 65,536, are read again. */
const MOST_CHARACTERS = 256;

/** Lists of keys that are remembered at once: what a list shows, and what it warns of. */
const MOST_LISTS = 4;

/** The last values that were asked for, for as long as nothing changes: lists of thousands ask again and again. */
export class LastValues {
  readonly #device: Readable;
  #known: Map<string, readonly LatestValue[]> | null = null;

  constructor(device: Readable) {
    this.#device = device;
  }

  changed(): void {
    this.#known = null;
  }

  of(keys: readonly string[] | null): readonly LatestValue[] {
    const asked = JSON.stringify(keys);
    const before = this.#known?.get(asked);
    if (before !== undefined) return before;
    const values = readLatest(this.#device, keys);
    const isSmall =
      values.length <= MOST_KEYS &&
      values.every(({ value }) => typeof value !== 'string' || value.length <= MOST_CHARACTERS);
    if (isSmall) {
      const known = (this.#known ??= new Map());
      if (known.size === MOST_LISTS) known.clear();
      known.set(asked, values);
    }
    return values;
  }
}
