import { badRequest, notFound } from '../../../base/errors.ts';
import type { StoredDevice, StoredNote, StoredProject } from '../../../store/metadata/metadata-schema.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { notesIn } from '../../corrections/note-times.ts';
import { requireRoomForNote } from '../../edits/room-for-notes.ts';
import { authorOf } from '../../principal.ts';
import { noteView } from '../../resources.ts';

export const noteHandlers: HandlersOf<'notes'> = {
  async 'notes.list'({ input, device }, { metadata }) {
    const { view, start, end } = input;
    const range = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
    const { notes } = await notesIn(device.id, view, range, { metadata });
    return { data: notes.map(noteView) };
  },

  async 'notes.create'({ input, project, device, principal }, context) {
    const { start, end = null, text } = input;
    const created = await context.metadata.change(async (tables) => {
      if (!(await tables.get('devices', device.id))) throw notFound('Device');
      await requireRoomForNote(tables, device);
      const author = await authorOf(principal, tables, context);
      return tables.insert('notes', {
        id: context.chance.of(project.account_id).uuid(),
        project_id: project.id,
        device_id: device.id,
        start,
        end,
        text,
        author,
        created: context.clock.now(),
      });
    });
    announce(project, device, context);
    return { data: noteView(created) };
  },

  async 'notes.update'({ input, project, device, note }, context) {
    const { start, end, text } = input;
    const updated = await context.metadata.change(async (tables) => {
      const row: StoredNote | null = await tables.patch('notes', note.id, { start, end, text });
      if (!row) throw notFound('Note');
      if (row.end !== null && row.start > row.end) throw badRequest('start must not be after end');
      return row;
    });
    announce(project, device, context);
    return { data: noteView(updated) };
  },

  async 'notes.delete'({ project, device, note }, context) {
    if (!(await context.metadata.change((tables) => tables.remove('notes', note.id)))) throw notFound('Note');
    announce(project, device, context);
    return { data: { id: note.id } };
  },
};

function announce(
  { account_id, id: project_id }: StoredProject,
  { id: device_id }: StoredDevice,
  { events }: Pick<Context, 'events'>,
): void {
  events.publish('notes.changed', { account_id, project_id, device_id });
}
