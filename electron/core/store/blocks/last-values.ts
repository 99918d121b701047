import type { LatestValue } from '../store.ts';
import { readLatest } from './latest-reads.ts';
import type { Readable } from './readable.ts';

/** Keys of which values are remembered: a list shows three of a device, and one has up to 4,096. */
const MOST_KEYS = 16;
/** What takes more is read again: a text has up to 65,536 characters. */
const MOST_CHARACTERS = 256;

/** Lists of keys that are remembered at once: what a list shows, and what it warns of. */
const MOST_LISTS = 4;

/** The last values that were asked for, for as long as nothing changes: lists of thousands ask again and again. */
export class LastValues {
  readonly #device: Readable;
  readonly #known = new Map<string, readonly LatestValue[]>();

  constructor(device: Readable) {
    this.#device = device;
  }

  changed(): void {
    this.#known.clear();
  }

  of(keys: readonly string[] | null): readonly LatestValue[] {
    const asked = JSON.stringify(keys);
    const known = this.#known.get(asked);
    if (known !== undefined) return known;
    const values = readLatest(this.#device, keys);
    const isSmall =
      values.length <= MOST_KEYS &&
      values.every(({ value }) => typeof value !== 'string' || value.length <= MOST_CHARACTERS);
    if (isSmall) {
      if (this.#known.size === MOST_LISTS) this.#known.clear();
      this.#known.set(asked, values);
    }
    return values;
  }
}
