import { requirePermissions } from '../../authorize.ts';
import type { HandlersOf } from '../../context.ts';
import { replaceEdits } from '../../edits/replace-edits.ts';
import { keyOf } from '../../principal.ts';

export const editHandlers: HandlersOf<'edits'> = {
  async 'edits.replace'({ input, project, principal }, context) {
    if (input.notes.some(({ be }) => be === null)) requirePermissions(principal, ['delete']);
    const changed = await context.metadata.change(async (tables) => {
      const author = (await keyOf(principal, tables, context))?.name ?? null;
      return replaceEdits(tables, input, { project_id: project.id, author }, context);
    });
    const of = { account_id: project.account_id, project_id: project.id };
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
    return { data: { changed } };
  },
};
