/** A small file of lines, read at the start and written as a whole; in a lab, of all its services together. */
export interface KeptLines {
  /** Resolves with the lines written last, none at first. Rejects with StoreError (`newer-format` among them). */
  read(): Promise<{ readonly lines: readonly string[] }>;
  /** Makes these lines all that there are, at once and for good. Rejects with StoreError. */
  replace(lines: Iterable<string>): Promise<void>;
  close(): Promise<void>;
}
