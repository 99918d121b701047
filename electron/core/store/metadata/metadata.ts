import type { Awaitable } from '../../base/awaitable.ts';
import type { MonotonicMs } from '../../base/machine-clock.ts';
import type { Event, Origin } from '../trail/entry.ts';
import type { Trail } from '../trail/trail.ts';
import type {
  PendingDeletion,
  Row,
  Settings,
  StoredDevice,
  StoredKey,
  TableName,
} from './metadata-schema.ts';
import type { Sender } from './sender.ts';

export interface ReadOptions {
  /** Until when somebody waits, where the tables may take long to answer: it rejects with StoreError `unreachable` then. */
  readonly untilMs?: MonotonicMs | undefined;
}

/**
 * Metadata: accounts, projects, devices, keys. They are asked, not held, so that they may lie in memory, where values are
 * there at once, or in a database. Each `read` or `change` is one snapshot: between two of them others may change anything.
 */
export interface Metadata {
  /**
   * Returns the result of `look` on a snapshot of the tables, not older than this call. `look` waits for `tables` alone.
   * Throws, or rejects with, what `look` does.
   */
  read<T>(look: (tables: Tables) => Awaitable<T>, options?: ReadOptions): Awaitable<T>;
  /**
   * Runs `work` alone, as if no other change was under way, and resolves with what it returns once all that it changed is
   * durable; nobody reads it before. Where `work` throws (a Refusal, say), nothing of it is kept and this change alone
   * rejects; so it does where a row could not be read again (TypeError), or is nested too deep (400 Refusal). Rejects
   * with StoreError where storing failed; everything is then as it was.
   *
   * `work` may run more than once: it touches nothing but `tables`, waits for nothing else, and starts no change itself.
   *
   * What it did is told in the audit trail by the same write, with where it comes from; without `origin` the service made it by itself.
   */
  change<T>(work: (tables: WritableTables) => Awaitable<T>, origin?: Origin): Promise<T>;
  /** What changes tell. */
  readonly trail: Trail;
  /** Findings and repairs, for people to read; the list may grow. */
  readonly notes: readonly string[];
  /** Finishes the changes that wait; later ones reject with StoreError `closed`. */
  close(): Promise<void>;
}

/** Snapshot of the tables. Rows are immutable. */
export interface Tables {
  /** The row of this id, which may be any text; null where there is none. */
  get<Name extends TableName>(table: Name, id: string): Awaitable<Row<Name> | null>;
  /** The rows that have all of these, in the order in which they were made (`sequence`). */
  list<Name extends TableName>(table: Name, having?: Having[Name]): Awaitable<readonly Row<Name>[]>;
  /** How many `list` would return. */
  count<Name extends TableName>(table: Name, having?: Having[Name]): Awaitable<number>;
  /** Returns which of these ids the table holds. */
  held(table: TableName, ids: readonly string[]): Awaitable<readonly string[]>;
  /** The API key with this hash of its secret. */
  keyByHash(hash: string): Awaitable<StoredKey | null>;
  /** The device with this hash of its token. */
  deviceByTokenHash(hash: string): Awaitable<StoredDevice | null>;
  /** The sender of the token with this hash: all that storing asks for, which a database may have at hand. */
  senderByTokenHash(hash: string): Awaitable<Sender | null>;
  settings(): Awaitable<Settings>;
  /** Deletes whose logs and secrets are not all gone yet, oldest first. */
  deletions(): Awaitable<readonly PendingDeletion[]>;
  /**
   * An object that stands for what the table holds: the same one as long as no row of it changes, so that what was found
   * in it may be remembered as long. Null where that cannot be said without asking.
   */
  versionOf(table: TableName): object | null;
}

/** Criteria by which rows of a table are found. */
export interface Having {
  readonly accounts: Readonly<Record<string, never>>;
  readonly projects: { readonly account_id?: string };
  readonly devices: { readonly project_id?: string };
  readonly api_keys: { readonly account_id?: string; readonly role?: StoredKey['role'] };
  readonly functions: { readonly project_id?: string; readonly device_id?: string };
  /** `device_id`: the device is one of its sources. */
  readonly widgets: { readonly project_id?: string; readonly device_id?: string };
  readonly key_settings: { readonly project_id?: string; readonly device_id?: string };
  readonly notes: { readonly project_id?: string; readonly device_id?: string };
  readonly alarms: {
    readonly project_id?: string;
    readonly device_id?: string;
    readonly function_id?: string;
  };
  readonly corrections: { readonly project_id?: string; readonly device_id?: string };
  readonly correction_history: { readonly project_id?: string; readonly device_id?: string };
  readonly views: { readonly account_id?: string };
  readonly kept_deletes: {
    readonly account_id?: string;
    readonly project_id?: string;
    readonly device_id?: string;
  };
  readonly preferences: Readonly<Record<string, never>>;
}

/** A row before it has its place among the others. */
export type NewRow<Name extends TableName> = Omit<Row<Name>, 'sequence'>;

/** A row as it was, of whichever table. */
export interface FormerRow {
  readonly id: string;
  readonly sequence: number;
}

/** Fields of a row that may change; absent or undefined ones stay. */
export type Fields<Name extends TableName> = {
  readonly [Field in Exclude<keyof Row<Name>, 'id' | 'sequence'>]?: Row<Name>[Field] | undefined;
};

/**
 * The tables in a change, which sees its own writes. They know no relations: a caller that removes a device removes its
 * functions.
 */
export interface WritableTables extends Tables {
  /** Adds a row and returns it with its `sequence`. An id that the table holds already is a bug: TypeError. */
  insert<Name extends TableName>(table: Name, row: NewRow<Name>): Awaitable<Row<Name>>;
  /** Puts back a row that was removed, in its old place. An id that the table holds again is a bug: TypeError. */
  putBack(table: TableName, row: FormerRow): Awaitable<void>;
  /** Replaces fields of a row and returns it as it is then; null where there is none. */
  patch<Name extends TableName>(table: Name, id: string, fields: Fields<Name>): Awaitable<Row<Name> | null>;
  /** Returns whether there was such a row. */
  remove(table: TableName, id: string): Awaitable<boolean>;
  /** Notes a delete as begun. */
  noteDeletion(deletion: PendingDeletion): Awaitable<void>;
  /** Crosses out the notes of the same delete. */
  crossOutDeletion(deletion: PendingDeletion): Awaitable<void>;
  /** Tells the audit trail of something that is in no row. Returns the number of the entry. */
  tell(event: Event): Awaitable<number>;
}

/** The same metadata, whose changes come from there. */
export const changedBy = (metadata: Metadata, origin: Origin): Metadata => ({
  ...metadata,
  change: (work) => metadata.change(work, origin),
});
