import type { DeletedCounts } from '#shared/schema/schemas.ts';
import type { StoredProject } from '../../store/metadata/metadata-schema.ts';
import { announceTaken } from '../../functions/announce.ts';
import { runDeletion, type Remover } from './pending.ts';
import { idsOf, noteForGood, takeProject } from './taking.ts';
import { workOf } from '../under-way.ts';

/** Deletes a project permanently, with its devices, their data, its rows and its soft deletes. */
export async function deleteProject(
  { id: project_id, account_id }: StoredProject,
  context: Remover,
): Promise<DeletedCounts> {
  const named = workOf({ kind: 'project', project_id, device_ids: [] });
  const { rows, gone } = await context.work.during(named, async () => {
    const noted = await context.metadata.change(async (tables) => {
      const taken = await takeProject(tables, project_id);
      const device_ids = idsOf(taken.rows, 'devices');
      return {
        rows: taken.rows,
        deletion: await noteForGood(tables, { kind: 'project', project_id, device_ids }),
      };
    });
    return { rows: noted.rows, gone: await runDeletion(account_id, noted.deletion, context) };
  });
  announceTaken({ account_id, project_id }, rows, context);
  context.events.publish('projects.changed', { account_id, project_id });
  const devices = idsOf(rows, 'devices');
  return {
    devices: devices.length,
    // Of what was deleted before and is kept, more may have gone.
    records: devices.reduce((sum, id) => sum + (gone.get(id) ?? 0), 0),
    functions: idsOf(rows, 'functions').length,
    widgets: idsOf(rows, 'widgets').length,
  };
}
