const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** A text on its way in, as far as it was not read yet. Long pieces of it are put together once, not with each arrival. */
export class Unread {
  /** Unread bytes at [from, to); at `to` stands a 0, which no JSON holds, so that readers need not count. */
  bytes = Buffer.alloc(1);
  from = 0;
  to = 0;

  #begun = false;

  /** Whether enough has arrived to know whether it begins with a byte order mark, which is passed over. */
  get hasBegun(): boolean {
    if (this.#begun) return true;
    const { length } = BYTE_ORDER_MARK;
    if (this.to < length) return false;
    this.#begun = true;
    if (this.bytes.subarray(0, length).equals(BYTE_ORDER_MARK)) this.from = length;
    return true;
  }

  push(piece: Uint8Array): void {
    const length = this.to - this.from;
    const needed = length + piece.length + 1;
    if (needed > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * length));
      this.bytes.copy(grown, 0, this.from, this.to);
      this.bytes = grown;
    } else if (this.from > 0) {
      this.bytes.copyWithin(0, this.from, this.to);
    }
    this.from = 0;
    this.to = length + piece.length;
    this.bytes.set(piece, length);
    this.bytes[this.to] = 0;
  }
}
