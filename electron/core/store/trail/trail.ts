import type { Awaitable } from '../../base/awaitable.ts';
import type { Head } from './chain.ts';

/** A line as the store holds it. */
export interface StoredLine {
  /** Without its line feed. */
  readonly text: string;
  /** Where it stands, for people to read. */
  readonly place: string;
}

/**
 * Audit trail: what every change was, who made it, what was before and after (docs/storage-format.md, "Audit trail"). Its lines are
 * written by the changes of the metadata themselves, and by nothing else; nothing changes or removes one.
 */
export interface Trail {
  /** The last line, as the store knows it beside the lines; NO_LINES where there is none. Rejects with StoreError. */
  head(): Awaitable<Head>;
  /** Number of the first line that is kept: 1, or more where memory has no room for all. */
  readonly first: number;
  /** The lines that are there when it is called, in the order in which they stand. Rejects with StoreError. */
  lines(): AsyncIterable<StoredLine>;
  /** The same, the last first; some from the number `before` on may be left out. */
  linesBack(before?: number): AsyncIterable<StoredLine>;
}

/** The audit trail of another installation, as the restore of a backup brought it: its first line, and its last. */
export interface FormerTrail extends Head {
  readonly first: number;
}

/** The same in manifests, entries and answers: numbers of its first and last line, and the SHA-256 of the last. */
interface ToldTrail {
  readonly first: number;
  readonly last: number;
  readonly sha256: string;
}

export const toldTrail = ({ first, n, hash }: FormerTrail): ToldTrail => ({ first, last: n, sha256: hash });

export const fromTold = ({ first, last, sha256 }: ToldTrail): FormerTrail => ({
  first,
  n: last,
  hash: sha256,
});
