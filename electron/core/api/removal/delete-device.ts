import type { DeletedCounts } from '#shared/schemas.ts';
import { notFound } from '../../errors.ts';
import type { StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import { dependantsOf } from './dependants.ts';
import { runDeletion, type Remover } from './pending.ts';

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
