import type { DeletedCounts } from '#shared/schema/schemas.ts';
import type { StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import { announceTaken } from '../../functions/announce.ts';
import { runDeletion, type Remover } from './pending.ts';
import { idsOf, noteForGood, takeDevice } from './taking.ts';
import { workOf } from '../under-way.ts';

/** Deletes a device permanently, with its data, its rows and its soft deletes. */
export async function deleteDevice(
  { account_id }: StoredProject,
  { id, project_id }: StoredDevice,
  context: Remover,
): Promise<DeletedCounts> {
  const asked = { kind: 'device', project_id, device_ids: [id] } as const;
  const { rows, gone } = await context.work.during(workOf(asked), async () => {
    const noted = await context.metadata.change(async (tables) => ({
      rows: (await takeDevice(tables, id)).rows,
      deletion: await noteForGood(tables, asked),
    }));
    return { rows: noted.rows, gone: await runDeletion(account_id, noted.deletion, context) };
  });
  announceTaken({ account_id, project_id }, rows, context);
  context.events.publish('devices.changed', { account_id, project_id, device_id: id });
  return {
    devices: 1,
    records: gone.get(id) ?? 0,
    functions: idsOf(rows, 'functions').length,
    widgets: idsOf(rows, 'widgets').length,
  };
}
