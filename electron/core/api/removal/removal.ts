import type { DeletedCounts } from '#shared/schemas.ts';
import { notFound } from '../../errors.ts';
import type { PendingDeletion, StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Progress } from '../../work/jobs.ts';
import type { Context } from '../context.ts';
import { dependantsOf } from './impact.ts';

/*
 * Deleting takes everything associated along (docs/api.md, "Deleting"). The first write to metadata.json removes the things
 * and notes the delete as pending, so that from then on nobody finds them; logs and secrets follow; the last write
 * crosses the note out. A start after a crash finishes what is still noted.
 */

type Remover = Pick<Context, 'metadata' | 'records' | 'vault' | 'jobs' | 'events'>;

/** Deletes a device with its data, its functions and the widgets of it alone; other widgets lose this source. */
export async function deleteDevice(
  { account_id }: StoredProject,
  device: StoredDevice,
  context: Remover,
): Promise<DeletedCounts> {
  const { id, project_id } = device;
  const deletion = { kind: 'device', project_id, device_ids: [id] } as const;
  const counts = await context.metadata.change(async (tables) => {
    if (!(await tables.remove('devices', id))) throw notFound('Device');
    const { functions, widgets, trimmed } = await dependantsOf(tables, id);
    for (const each of functions) await tables.remove('functions', each.id);
    for (const each of widgets) await tables.remove('widgets', each.id);
    for (const each of trimmed) {
      const sources = each.sources.filter((source) => source.device_id !== id);
      await tables.patch('widgets', each.id, { sources });
    }
    await tables.noteDeletion(deletion);
    return { functions: functions.length, widgets: widgets.length };
  });
  const records = await runDeletion(account_id, deletion, context);
  context.events.publish('devices.changed', { account_id, project_id, device_id: id });
  return { devices: 1, records, ...counts };
}

/** Deletes a project with its devices, their data, its functions and its widgets. */
export async function deleteProject(project: StoredProject, context: Remover): Promise<DeletedCounts> {
  const { id: project_id, account_id } = project;
  const { deletion, ...counts } = await context.metadata.change(async (tables) => {
    if (!(await tables.remove('projects', project_id))) throw notFound('Project');
    const take = async (table: 'devices' | 'functions' | 'widgets') => {
      const taken = await tables.list(table, { project_id });
      for (const { id } of taken) await tables.remove(table, id);
      return taken.map(({ id }) => id);
    };
    const device_ids = await take('devices');
    const functions = (await take('functions')).length;
    const widgets = (await take('widgets')).length;
    const noted = { kind: 'project', project_id, device_ids } as const;
    await tables.noteDeletion(noted);
    return { deletion: noted, functions, widgets };
  });
  const records = await runDeletion(account_id, deletion, context);
  context.events.publish('projects.changed', { account_id, project_id });
  return { devices: deletion.device_ids.length, records, ...counts };
}

/** Finishes a delete that metadata.json already notes, as a job. Resolves with how many records went. */
function runDeletion(account_id: string, deletion: PendingDeletion, context: Remover): Promise<number> {
  const { kind, project_id, device_ids } = deletion;
  const device_id = kind === 'device' ? (device_ids[0] ?? null) : null;
  const total = device_ids.length;
  const job = { kind: 'delete', account_id, project_id, device_id, unit: 'devices', total } as const;
  return context.jobs.run(job, (progress) => finishDeletion(deletion, context, progress));
}

/** Removes the logs and the secrets of a delete. Resolves with how many records went. */
async function finishDeletion(
  deletion: PendingDeletion,
  context: Remover,
  progress: Progress,
): Promise<number> {
  const { kind, project_id, device_ids } = deletion;
  // Of all of them first: what is written after a device was dropped would stay behind without an owner.
  for (const id of device_ids) await context.records.retire(id);
  const extents = await context.records.extents(device_ids);
  for (const [done, id] of device_ids.entries()) {
    await context.records.drop(id);
    if (kind === 'device') await context.vault.delete({ kind: 'device-token', project_id, device_id: id });
    progress(done + 1);
  }
  if (kind === 'project') await context.vault.deleteProject(project_id);
  await context.metadata.change((tables) => tables.crossOutDeletion(deletion));
  return extents.reduce((sum, { records }) => sum + records, 0);
}

/** Finishes the deletes that a crash left half-done. Resolves with what was finished, for people to read. */
export async function finishDeletions(context: Remover): Promise<readonly string[]> {
  const pending = await context.metadata.read((tables) => tables.deletions());
  // No job: at a start there is no window yet that could hear of one.
  for (const deletion of pending) await finishDeletion(deletion, context, () => {});
  return pending.map(({ kind }) => `The delete of a ${kind}, which was cut off, was finished.`);
}
