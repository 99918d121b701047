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
  const counts = await context.metadata.update((draft) => {
    if (!draft.devices[id]) throw notFound('Device');
    const { functions, widgets, trimmed } = dependantsOf(draft, id);
    for (const each of functions) delete draft.functions[each];
    for (const each of widgets) delete draft.widgets[each];
    for (const each of trimmed) {
      const widget = draft.widgets[each];
      if (widget) widget.sources = widget.sources.filter((source) => source.device_id !== id);
    }
    delete draft.devices[id];
    draft.deletions.push({ kind: 'device', project_id, device_ids: [id] });
    return { functions: functions.length, widgets: widgets.length };
  });
  const records = await runDeletion(account_id, { kind: 'device', project_id, device_ids: [id] }, context);
  context.events.publish('devices.changed', { account_id, project_id, device_id: id });
  return { devices: 1, records, ...counts };
}

/** Deletes a project with its devices, their data, its functions and its widgets. */
export async function deleteProject(project: StoredProject, context: Remover): Promise<DeletedCounts> {
  const { id: project_id, account_id } = project;
  const { device_ids, ...counts } = await context.metadata.update((draft) => {
    if (!draft.projects[project_id]) throw notFound('Project');
    const inProject = (row: { readonly project_id: string }) => row.project_id === project_id;
    const take = (table: Record<string, { readonly id: string; readonly project_id: string }>) => {
      const taken = Object.values(table).filter(inProject);
      for (const { id } of taken) delete table[id];
      return taken.map(({ id }) => id);
    };
    const devices = take(draft.devices);
    const functions = take(draft.functions).length;
    const widgets = take(draft.widgets).length;
    delete draft.projects[project_id];
    draft.deletions.push({ kind: 'project', project_id, device_ids: devices });
    return { device_ids: devices, functions, widgets };
  });
  const records = await runDeletion(account_id, { kind: 'project', project_id, device_ids }, context);
  context.events.publish('projects.changed', { account_id, project_id });
  return { devices: device_ids.length, records, ...counts };
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
  { kind, project_id, device_ids }: PendingDeletion,
  context: Remover,
  progress: Progress,
): Promise<number> {
  // Of all of them first: what is written after a device was dropped would stay behind without an owner.
  for (const id of device_ids) await context.records.retire(id);
  const extents = await context.records.extents(device_ids);
  for (const [done, id] of device_ids.entries()) {
    await context.records.drop(id);
    if (kind === 'device') await context.vault.delete({ kind: 'device-token', project_id, device_id: id });
    progress(done + 1);
  }
  if (kind === 'project') await context.vault.deleteProject(project_id);
  await context.metadata.update((draft) => {
    draft.deletions = draft.deletions.filter(
      (each) => each.project_id !== project_id || each.kind !== kind || each.device_ids[0] !== device_ids[0],
    );
  });
  return extents.reduce((sum, { records }) => sum + records, 0);
}

/** Finishes the deletes that a crash left half-done. Resolves with what was finished, for people to read. */
export async function finishDeletions(context: Remover): Promise<readonly string[]> {
  const pending = context.metadata.state.deletions;
  // No job: at a start there is no window yet that could hear of one.
  for (const deletion of pending) await finishDeletion(deletion, context, () => {});
  return pending.map(({ kind }) => `The delete of a ${kind}, which was cut off, was finished.`);
}
