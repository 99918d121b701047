import type { Widget } from '#shared/schema/schemas.ts';
import { ask, messageOf } from '../../bridge/ask.ts';
import { sayDone, sayFailed } from '../../components/work/notices.ts';
import { addEdited, takingBack } from '../../components/work/undo-edits.ts';
import { sayUndoable } from '../../components/work/undo-toast.tsx';
import { countOf } from '../../format.ts';
import { editOfWidgets } from '../../stores/undo/edits.ts';

/* Changes of widgets that can be undone. */

type Fields = Pick<Widget, 'title' | 'type' | 'sources' | 'layout' | 'range'>;

/** Makes a widget, or changes the one that is given. Rejects with why not. */
export async function saveWidget(project_id: string, before: Widget | null, fields: Fields): Promise<void> {
  const after = before
    ? await ask('widgets.update', { project_id, widget_id: before.id, ...fields })
    : await ask('widgets.create', { project_id, ...fields });
  const did = before ? 'changed' : 'added';
  addEdited(project_id, editOfWidgets(`widget “${after.title}” ${did}`, [{ before, after }]));
}

/** Deletes a widget, and offers to undo that. */
export async function deleteWidget(widget: Widget): Promise<void> {
  const { project_id, id, title } = widget;
  try {
    await ask('widgets.delete', { project_id, widget_id: id });
  } catch (error) {
    sayFailed('The widget could not be deleted', messageOf(error));
    return;
  }
  const edited = editOfWidgets(`widget “${title}” deleted`, [{ before: widget, after: null }]);
  const way = edited && takingBack(project_id, edited.edits);
  if (edited && way) sayUndoable('Widget deleted', `“${title}” is no longer on the dashboard.`, way);
  else sayDone('Widget deleted', `“${title}” is no longer on the dashboard.`);
}

/** Adds what was just imported to what can be undone. */
export function addImported(project_id: string, made: readonly Widget[]): void {
  const title = `${countOf(made.length, 'widget')} imported`;
  addEdited(
    project_id,
    editOfWidgets(
      title,
      made.map((after) => ({ before: null, after })),
    ),
  );
}
