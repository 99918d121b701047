import { keptOf } from '#shared/operations/metadata/correction-rules.ts';
import { fieldsIn } from '#shared/operations/metadata/correction-fields.ts';
import { requirePermissions } from '../../authorize.ts';
import type { HandlersOf } from '../../context.ts';
import { requireNoStoredKey } from '../../corrections/check-correction.ts';
import { writerOf } from '../../corrections/write-corrections.ts';
import { replaceEdits } from '../../edits/replace-edits.ts';
import { keyOf } from '../../principal.ts';
import { announceWidgets } from '../../widgets/check-widget.ts';

export const editHandlers: HandlersOf<'edits'> = {
  async 'edits.replace'({ input, project, principal, signal }, context) {
    const { account_id } = project;
    if ([...input.notes, ...input.corrections, ...input.widgets].some(({ be }) => be === null))
      requirePermissions(principal, ['delete']);
    for (const { device_id, be } of input.corrections) {
      if (be?.kind !== 'derived') continue;
      const device = await context.metadata.read((tables) => tables.get('devices', device_id));
      // Of another project nothing is told.
      if (device?.project_id === project.id)
        await requireNoStoredKey(keptOf(be.kind, fieldsIn(be)), device, context, signal);
    }
    const changed = await context.metadata.change(async (tables) => {
      const author = (await keyOf(principal, tables, context))?.name ?? null;
      const writer = await writerOf(principal, account_id, tables, context);
      const by = { project_id: project.id, author, writer };
      return replaceEdits(tables, input, by, context);
    });
    const of = { account_id, project_id: project.id };
    const { events } = context;
    if (input.project) events.publish('projects.changed', of);
    const devices = [
      ...input.devices,
      ...input.keys.map(({ device_ids }) => ({ device_id: device_ids[0] ?? '' })),
    ];
    for (const device_id of new Set(devices.map((edit) => edit.device_id)))
      events.publish('devices.changed', { ...of, device_id });
    for (const device_id of new Set(input.notes.map((edit) => edit.device_id)))
      events.publish('notes.changed', { ...of, device_id });
    for (const device_id of new Set(input.corrections.map((edit) => edit.device_id)))
      events.publish('corrections.changed', { ...of, device_id });
    if (input.widgets.length > 0) announceWidgets(project, context);
    return { data: { changed } };
  },
};
