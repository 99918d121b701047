/** A request body that is data, not JSON: an import. */
export interface Body {
  /** Whoever reads a piece owns it. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Bytes in all, where the sender said so. */
  readonly size: number | null;
  /** The media type without parameters, where the sender said so. */
  readonly type: string | null;
}
