import { formatSeconds } from '#shared/values/time.ts';
import { isOfRecords } from '#shared/domain/kept-kinds.ts';
import { mayTouch } from '../../authorize.ts';
import type { HandlersOf } from '../../context.ts';
import { discardDelete, restoreDelete } from '../../removal/undo.ts';
import { keptDeleteView } from '../../resources.ts';

export const undoHandlers: HandlersOf<'undo'> = {
  async 'undo.list'({ principal }, { metadata }) {
    const { account_id } = principal;
    const data = await metadata.read(async (tables) => {
      const rows = (await tables.list('kept_deletes', { account_id })).filter(
        (row) => row.state === 'kept' && mayTouch(principal, { id: row.project_id, account_id }),
      );
      const deleted = new Map(
        rows.flatMap((row) => (isOfRecords(row.kind) ? [] : [[row.device_id ?? row.project_id, row.id]])),
      );
      const views = [];
      for (const row of rows.toReversed()) {
        const project = await tables.get('projects', row.project_id);
        const device = row.device_id === undefined ? null : await tables.get('devices', row.device_id);
        const device_waits = isOfRecords(row.kind) && !device ? deleted.get(row.device_id ?? '') : undefined;
        const project_waits = row.kind !== 'project' && !project ? deleted.get(row.project_id) : undefined;
        views.push(
          keptDeleteView(row, {
            name: device?.name ?? (row.kind === 'project' ? undefined : row.name),
            project_name: project?.name,
            waits_for: device_waits ?? project_waits ?? null,
          }),
        );
      }
      return views;
    });
    return { data };
  },

  async 'undo.restore'({ kept }, context) {
    const { project_id, device_id = null } = kept;
    const { restored, replaced } = await restoreDelete(kept, context);
    const undo = replaced && { id: replaced.id, until: formatSeconds(replaced.until) };
    return { data: { restored, project_id, device_id, undo } };
  },

  async 'undo.discard'({ kept }, context) {
    return { data: { deleted: await discardDelete(kept, context) } };
  },
};
