import type { Micros } from '#shared/values/time.ts';
import type { SortedRows } from './query/sorted-rows.ts';
import type { Timeline } from './query/timeline.ts';

/**
 * The records of a device in blocks, wherever those lie: all that readers need. Where blocks are not at hand a reader runs over
 * guesses, and again when what it asked for is there (docs/decisions.md, "Blocks of a database are read over guesses, and
 * again"). So it is pure until settled: it changes nothing but what it makes itself, and remembers for later only what it found
 * in a run that `isSettled`.
 */
export interface Readable {
  /** Newest `received` of what came from the device itself, and the time of the last purge. */
  readonly lastSeen: Micros | null;
  readonly purgedAt: Micros | null;
  /** Bytes on disk, of records in memory about as many as they will take. */
  readonly bytes: number;
  /** Whether all that it gave so far is what it holds: only what is found out then may be remembered. */
  readonly isSettled: boolean;
  /** Every source, put in order of time. */
  timeline(): Timeline;
  /** Every source in order of arrival. */
  sources(): readonly SortedRows[];
  /** Returns a snapshot for a slow reader; it stays readable until `release`. */
  snapshot(): {
    readonly sources: readonly SortedRows[];
    readonly timeline: Timeline;
    readonly release: () => Promise<void>;
  };
  /** Calls `read`, again where something turned out to be damaged, which is left out then. */
  read<T>(read: () => T): T;
  /** The same for work that takes its time, which begins anew. */
  retrying<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the error of a read that has handed out rows, and so cannot be retried. */
  failure(error: unknown): Error;
}
