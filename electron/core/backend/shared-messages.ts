/** A message, and its number: one more than that of the message before. */
export interface SharedMessage {
  readonly number: number;
  readonly body: string;
}

/** Messages that every service over one store reads, the newest 10,000. Errors are StoreErrors. */
export interface SharedMessages {
  /** Resolves once every service finds it. */
  add(body: string): Promise<void>;
  /** Resolves with the number of the newest one; 0 where there was none. */
  newest(): Promise<number>;
  /** Resolves with those behind a number, the oldest first, at most so many. */
  after(number: number, most: number): Promise<readonly SharedMessage[]>;
}
