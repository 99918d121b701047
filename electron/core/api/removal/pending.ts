import type { PendingDeletion } from '../../store/metadata/metadata-schema.ts';
import type { Progress } from '../../work/jobs.ts';
import type { Context } from '../context.ts';
import { removeOtherToken } from '../devices/move-device.ts';
import { workOf } from '../under-way.ts';

/*
 * Deleting takes everything associated along (docs/api.md, "Deleting"). The first write to metadata.json removes the things
 * and notes the delete as pending, so that from then on nobody finds them; logs and secrets follow; the last write
 * crosses the note out. A start after a crash finishes what is still noted.
 */

/** Devices that are dropped at the same time, so that they share a sync; others have their turn between. */
const TOGETHER = 1024;

/** Context of a delete. */
export type Remover = Pick<Context, 'metadata' | 'records' | 'vault' | 'jobs' | 'events' | 'work'>;

/** How many records went, by device. */
type Gone = ReadonlyMap<string, number>;

/** Finishes a delete that metadata.json already notes, as a job of its account. */
export function runDeletion(account_id: string, deletion: PendingDeletion, context: Remover): Promise<Gone> {
  const { kind, project_id, device_ids } = deletion;
  const device_id = kind === 'device' ? (device_ids[0] ?? null) : null;
  const total = device_ids.length;
  const job = { kind: 'delete', account_id, project_id, device_id, unit: 'devices', total } as const;
  return context.jobs.run(job, (progress) => finishDeletion(deletion, context, progress));
}

/** Removes the logs and the secrets of a delete. */
async function finishDeletion(
  deletion: PendingDeletion,
  context: Remover,
  progress: Progress,
): Promise<Gone> {
  const { kind, project_id, device_ids } = deletion;
  // Of all of them first: what is written after a device was dropped would stay behind without an owner.
  for (const id of device_ids) await context.records.retire(id);
  const gone = new Map<string, number>();
  const dropDevice = async (id: string) => {
    gone.set(id, await context.records.drop(id));
    if (kind === 'device') await context.vault.delete({ kind: 'device-token', project_id, device_id: id });
    progress(gone.size);
  };
  for (let at = 0; at < device_ids.length; at += TOGETHER)
    await Promise.all(device_ids.slice(at, at + TOGETHER).map(dropDevice));
  if (kind === 'project') await context.vault.deleteProject(project_id);
  await context.metadata.change((tables) => tables.crossOutDeletion(deletion));
  return gone;
}

/**
 * Finishes deletes that a crash left half-done and no service has under way. Resolves with notes on them, for people to
 * read.
 */
export async function finishDeletions(context: Remover): Promise<readonly string[]> {
  const pending = await context.metadata.read((tables) => tables.deletions());
  // No job: at a start there is no window yet that could hear of one.
  const notes: string[] = [];
  for (const deletion of pending)
    await context.work.unlessUnderWay(workOf(deletion), async () => {
      const { kind } = deletion;
      // settleSnapshots finishes it, behind the deletes that came with it.
      if (kind === 'snapshot') return;
      if (kind === 'token') return removeOtherToken(deletion, context);
      await finishDeletion(deletion, context, () => {});
      notes.push(`The delete of a ${kind}, which was cut off, was finished.`);
    });
  return notes;
}
