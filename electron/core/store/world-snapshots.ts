import type { Micros } from '#shared/values/time.ts';

/*
 * Snapshots of a world, an account with all that it has, beside `RecordStore`: the append log has them. Nothing is copied: a
 * snapshot has further names of the files that never change, and one file of everything else.
 */

/** A snapshot of a world. */
export interface WorldSnapshot {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly created: Micros;
  /** Counts up: a clock that is held says of many the same time. */
  readonly number: number;
  readonly projects: number;
  readonly devices: number;
  readonly records: number;
}

/** A world at one moment, beside its records. */
export interface WorldNow {
  /** Its devices, those too that are deleted and can be had back. */
  readonly devices: readonly string[];
  /** Whose records are counted. */
  readonly live: ReadonlySet<string>;
  readonly projects: number;
  /** Names of soft-deleted records that count: others are of a restore that is not decided. */
  readonly kept: ReadonlySet<string>;
  /** What else belongs to it, as JSON. */
  readonly rows: unknown;
}

/** Errors: StoreError, as a record store's. */
export interface WorldSnapshots {
  /** Every one, the oldest first. */
  list(): readonly WorldSnapshot[];
  /**
   * Takes one. `look` returns what there is at once; it is called again and again, and the last time in the same moment in which
   * the records are taken. Resolves once it is durable.
   */
  take(
    about: Pick<WorldSnapshot, 'id' | 'account_id' | 'name' | 'created'>,
    look: () => WorldNow,
  ): Promise<WorldSnapshot>;
  /** Resolves with the rows of one. Rejects with `damaged` where they cannot be read. */
  rows(id: string): Promise<unknown>;
  /** Runs a restore and all that it needs; work that earlier ones left waits for its end. */
  whileRestoring<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Puts the records of every device of it in the place of what is there: all of them, in one moment, and durable. `mark` names this
   * restore: nothing happens where `hasRestored`. Resolves with the devices of which something was stored or removed since, as far as
   * that is seen.
   */
  restore(id: string, mark: string): Promise<readonly string[]>;
  /** Brings new devices the records of others in a snapshot, whose ids are given by theirs; as `restore` does. */
  plant(id: string, mark: string, sources: ReadonlyMap<string, string>): Promise<void>;
  /** Whether the log still says that this restore was done. */
  hasRestored(mark: string): boolean;
  /** What a restore took the place of may be erased; called when nothing of it is to be done again. */
  restored(): void;
  /** Removes one for good. What was restored from it has files of its own then. */
  remove(id: string): Promise<void>;
}
