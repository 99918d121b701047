/** Source of randomness for ids, API keys and tokens, handed in so that a seed can repeat it. */
export interface Chance {
  /** Version 4 of RFC 9562. */
  uuid(): string;
  bytes(count: number): Buffer;
  /** At least 0, less than 1. */
  number(): number;
}
