import type { Asker, AskOptions, Statement } from '../connection/connections.ts';
import type { ChangedNames } from './changed-names.ts';
import { idColumn } from './columns.ts';

/** Versions whose names are kept. Who has not asked for so long forgets everything. */
const KEPT = 1_000;
const HASH_BYTES = 32;

const NOTE = 'INSERT INTO metadata_change (version, hashes, projects) VALUES ($1, $2, $3::text[])';
const TRIM = 'DELETE FROM metadata_change WHERE version <= $1';
const SINCE = 'SELECT version, hashes, projects FROM metadata_change WHERE version > $1 ORDER BY version';

/** Returns the statements that note what a version changed; null: nobody can name it. They belong to the transaction that makes it. */
export function noteNames(version: number, names: ChangedNames | null): Statement[] {
  const hashes = names && Buffer.from(names.hashes.join(''), 'hex');
  const projects = names?.projects.map(idColumn) ?? [];
  return [
    { sql: NOTE, params: [version, hashes, projects] },
    { sql: TRIM, params: [version - KEPT] },
  ];
}

/** What changed from one version to a later one. */
export interface Changes {
  /** The later one: `wanted`, or one after it. */
  readonly version: number;
  /** Of each version between, the oldest first; null where not all of them are known. */
  readonly names: readonly (ChangedNames & { readonly version: number })[] | null;
}

/**
 * Resolves with what changed after the version `since`, up to `wanted` at least, which was there before the call. Each version
 * in between has to have its note: one that lacks it was made by an earlier build, or by hand.
 */
export async function changesSince(
  asker: Asker,
  { since, wanted }: { readonly since: number; readonly wanted: number },
  options?: AskOptions,
): Promise<Changes> {
  const found = await asker.ask<{
    readonly version: number;
    readonly hashes: Buffer | null;
    readonly projects: readonly string[];
  }>(SINCE, [since], options);
  const version = found.at(-1)?.version ?? since;
  const isWhole = version >= wanted && found.length === version - since;
  const names = found.flatMap((each) =>
    each.hashes === null
      ? []
      : { version: each.version, hashes: hashesOf(each.hashes), projects: each.projects },
  );
  return {
    version: Math.max(version, wanted),
    names: isWhole && names.length === found.length ? names : null,
  };
}

function hashesOf(bytes: Buffer): string[] {
  const count = bytes.length / HASH_BYTES;
  return Array.from({ length: count }, (_, n) => bytes.toString('hex', n * HASH_BYTES, (n + 1) * HASH_BYTES));
}
