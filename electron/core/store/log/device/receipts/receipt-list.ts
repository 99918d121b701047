import { DIGEST_WORDS, type Digest } from '../../wal/receipt-digest.ts';

/** Idempotency records kept of a device: at least so many, at most twice as many. */
export const KEPT = 1024;
const FIRST_CAPACITY = 16;

/** The latest idempotency records of a device, oldest first. Looking through all of them takes about a µs. */
export class ReceiptList {
  size = 0;
  #words = new Uint32Array(FIRST_CAPACITY * DIGEST_WORDS);

  has([a, b, c, d]: Digest): boolean {
    const words = this.#words;
    for (let at = 0, end = this.size * DIGEST_WORDS; at < end; at += DIGEST_WORDS)
      if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) return true;
    return false;
  }

  add(digest: Digest): void {
    if (this.size === 2 * KEPT) {
      this.#words.copyWithin(0, KEPT * DIGEST_WORDS);
      this.size = KEPT;
    }
    if (this.size * DIGEST_WORDS === this.#words.length) {
      const grown = new Uint32Array(this.#words.length * 2);
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words.set(digest, this.size++ * DIGEST_WORDS);
  }

  /** The last `count` of them, oldest first. */
  *last(count: number): Generator<Digest> {
    for (let i = Math.max(0, this.size - count); i < this.size; i++)
      yield this.#words.subarray(i * DIGEST_WORDS, (i + 1) * DIGEST_WORDS);
  }
}
