import type { ACTORS, AuditOutcome } from '#shared/domain/audit.ts';

/** Who acts: an API key by its id and name; whoever sits at a window or a terminal, by the name of the system's user. */
export interface Actor {
  readonly kind: (typeof ACTORS)[number];
  readonly name: string;
  /** Of an API key. */
  readonly id?: string;
}

/** What a change comes from, as its entry says it. */
export interface Origin {
  readonly by: Actor;
  /** Id of an operation, or what the service or the command line does without one. */
  readonly operation: string;
  /** The account that it is about. */
  readonly account_id?: string;
  /** What its path names. */
  readonly projects?: readonly Named[];
  readonly devices?: readonly Named[];
  /** Where it was given. */
  readonly reason?: string;
  /** Whether a later change tells of the operation's end; no entry says it. */
  readonly isFollowed?: boolean;
}

export interface Named {
  readonly id: string;
  readonly name?: string;
}

/** What the service does by itself, at its start above all. */
export const BY_ITSELF: Origin = { by: { kind: 'service', name: 'Fieldbench' }, operation: 'service.start' };

/** A row, or the fields of one, before and after; null where there was, or is, none. */
export interface Change {
  readonly table: string;
  readonly id: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** What is told of a change that is not one of rows. */
export interface Event {
  readonly outcome: AuditOutcome;
  /** Number of the entry that it ends. */
  readonly of?: number;
  /** What was asked, or what came of it. */
  readonly facts?: unknown;
  /** Why it failed. */
  readonly message?: string;
}

/** An entry of the audit trail. */
export interface Entry {
  /** Counts from 1. */
  readonly n: number;
  /** SHA-256 of the line before, in hex; zeros for the first. */
  readonly prev: string;
  /** ISO 8601, in µs. */
  readonly at: string;
  readonly by: Actor;
  readonly operation: string;
  readonly outcome: AuditOutcome;
  readonly of?: number;
  /** Where its rows are in several entries: which of them it is. */
  readonly part?: { readonly number: number; readonly of: number };
  readonly account_id?: string;
  readonly projects?: readonly Named[];
  readonly devices?: readonly Named[];
  /** Data keys. */
  readonly keys?: readonly string[];
  readonly changes?: readonly Change[];
  /** Deletes that are noted as begun, or crossed out once they are over. */
  readonly deletions?: readonly unknown[];
  readonly facts?: unknown;
  readonly message?: string;
  readonly reason?: string;
}
