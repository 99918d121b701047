import { quote } from '#shared/values/validate.ts';
import type { Restored } from '#shared/operations/service/backup.ts';
import { trailOf, type BackupManifest } from '../../backup/backup-format.ts';
import type { BackupScope } from '../../backup/backup-rows.ts';
import { skip, type FoundMember } from '../../backup/tar.ts';
import { badRequest } from '../../base/errors.ts';
import { hashesIn, type FormerTrails } from '../../store/trail/former-trails.ts';
import { fromTold, type FormerTrail, type Trail } from '../../store/trail/trail.ts';

/** Plan of a restore for the audit trails of a backup. */
interface TrailsPlan {
  readonly split: NonNullable<Restored['trails']>;
  /** Trails that are neither the one here, or its beginning, nor among its former ones. */
  readonly brought: readonly FormerTrail[];
}

/**
 * Compares the audit trails of a backup with those that are here. Resolves with undefined where it has none, with null where only a
 * part of it is restored: then they are left out. Rejects with StoreError.
 */
export async function planTrails(
  { trails }: BackupManifest,
  scope: BackupScope,
  own: Trail,
  former: FormerTrails,
): Promise<TrailsPlan | null | undefined> {
  if (trails === undefined || trails.length === 0) return undefined;
  if (scope.project_id !== null) return null;
  const all = trails.map(fromTold);
  const known = new Set(await hashesIn(own, all));
  for (const trail of former.list)
    for (const hash of await hashesIn(former.open(trail), all)) known.add(hash);
  const brought = all.filter(({ hash }) => !known.has(hash));
  return { split: { new: brought.length, same: all.length - brought.length }, brought };
}

/** Reads the audit trails of a backup, which stand before its devices, and stages those that it brings; null: none. Rejects as `stage`. */
export async function readTrails(
  members: AsyncGenerator<FoundMember>,
  { trails = [] }: BackupManifest,
  into: { readonly brought: readonly FormerTrail[]; readonly formerTrails: FormerTrails } | null,
): Promise<void> {
  for (const { sha256 } of trails) {
    const { value: member } = await members.next();
    if (member?.name !== trailOf(sha256))
      throw badRequest(
        `The backup cannot be read: ${quote(trailOf(sha256))} must be behind its rows and secrets`,
      );
    const trail = into?.brought.find(({ hash }) => hash === sha256);
    if (into === null || trail === undefined) await skip(member);
    else await into.formerTrails.stage(trail, member.content);
  }
}
