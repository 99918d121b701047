import type { DeletedCounts } from '#shared/schemas.ts';
import { notFound } from '../../errors.ts';
import type { StoredProject } from '../../store/metadata/metadata-schema.ts';
import { runDeletion, type Remover } from './pending.ts';

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
