import { StoreError } from '../base/errors.ts';
import { upTo } from '../store/trail/verify-now.ts';
import type { FormerTrails } from '../store/trail/former-trails.ts';
import type { StoredLine, Trail } from '../store/trail/trail.ts';
import type { BackupTrail } from './write-backup.ts';

/** Resolves with the audit trails that a backup of everything has: the own one up to its present end, and former ones. Rejects with StoreError. */
export async function trailsOfBackup(
  own: Trail,
  former: Pick<FormerTrails, 'list' | 'open'>,
): Promise<readonly BackupTrail[]> {
  const head = await own.head();
  const { first } = own;
  async function* lines(): AsyncGenerator<StoredLine> {
    yield* upTo(own.lines(), head);
    // Of memory the oldest entries go.
    if (own.first !== first)
      throw new StoreError('io', 'The oldest entries of the audit trail went while it was read. Try again.');
  }
  const present: BackupTrail = { first, head, lines };
  return [
    ...(head.n < first ? [] : [present]),
    ...former.list.map((each) => ({ first: each.first, head: each, lines: () => former.open(each).lines() })),
  ];
}
