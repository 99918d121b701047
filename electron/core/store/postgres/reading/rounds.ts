import { StoreError } from '../../../base/errors.ts';
import type { SuppliedSegment } from '../rows/supplied-segment.ts';

/** Rounds of demand-driven loading at most: each loads the blocks that the one before guessed. */
const ROUNDS = 64;

/** A block of a segment, by its place in it. */
export interface WantedBlock {
  readonly segment: SuppliedSegment;
  readonly index: number;
}

/** One read by demand-driven loading, of a device or of several. */
export interface Rounds {
  /** Resolves as `read` does once it has all it asks for; it may run several times. Rejects with BlocksGone, or as a question does. */
  run<T>(read: () => T): Promise<Awaited<T>>;
  /** Runs what surely lacks nothing. */
  now<T>(read: () => T): T;
  /** Sees to it that these blocks are here, with so many behind each; lets go of all others. */
  ahead(wanted: readonly WantedBlock[], more: number): Promise<void>;
  /** Lets go of the blocks that were read. */
  letGo(): void;
}

interface Lacking {
  readonly isLacking: boolean;
  fetch(): Promise<void>;
}

export async function inRounds<T>(readings: readonly Lacking[], read: () => T): Promise<Awaited<T>> {
  const lacking = () => readings.filter(({ isLacking }) => isLacking);
  for (let round = 0; round < ROUNDS; round++) {
    try {
      const result = read();
      if (lacking().length === 0) return await result;
      // Begun over guesses: nobody takes what becomes of it.
      if (result instanceof Promise) await result.catch(() => undefined);
    } catch (error) {
      if (lacking().length === 0) throw error;
    }
    await Promise.all(lacking().map((reading) => reading.fetch()));
  }
  throw new StoreError('io', 'The device changes faster than it can be read. Read again.');
}
