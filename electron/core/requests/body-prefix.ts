import { LOOKED_AT } from './excerpt.ts';

/** The first bytes of a body, copied while it streams to its reader. */
export class BodyPrefix {
  #pieces: Uint8Array[] = [];
  #size = 0;

  /** The first `LOOKED_AT` bytes of what has passed so far; null for nothing. */
  get bytes(): Uint8Array | null {
    const [first] = this.#pieces;
    if (first === undefined) return null;
    return this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
  }

  /** Returns the body unchanged. */
  of(body: Uint8Array | AsyncIterable<Uint8Array>): Uint8Array | AsyncIterable<Uint8Array> {
    if (!(body instanceof Uint8Array)) return this.#passing(body);
    this.#pieces = [body];
    return body;
  }

  async *#passing(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      if (this.#size < LOOKED_AT) {
        // A copy: the piece is its reader's, who may use its memory again.
        const copy = Buffer.from(piece.subarray(0, LOOKED_AT - this.#size));
        this.#pieces.push(copy);
        this.#size += copy.length;
      }
      yield piece;
    }
  }
}
