import { LOOKED_AT } from './excerpt.ts';

/** The beginning of a body that passes by on its way to its reader. */
export class Beginning {
  #pieces: Uint8Array[] = [];
  #size = 0;

  /** What has passed so far, at most as much as is looked at; null for nothing. */
  get bytes(): Uint8Array | null {
    const [first] = this.#pieces;
    if (first === undefined) return null;
    return this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
  }

  /** The body as it is. */
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
