import type { CheckedInput } from '#shared/operations/index.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import type { Context } from '../context.ts';
import { requireDevices, requireRoomForWidgets, requireShape } from '../widgets/check-widget.ts';
import { differing, isThere } from './fields.ts';
import { changedSince, since } from './since.ts';

type WidgetEdit = CheckedInput<'edits.replace'>['widgets'][number];

/** Runs in a change. Resolves with whether anything was changed. Rejects with a 400 Refusal that names what was changed since. */
export async function replaceWidget(
  tables: WritableTables,
  { widget_id, was, be }: WidgetEdit,
  project_id: string,
  { clock }: Pick<Context, 'clock'>,
): Promise<boolean> {
  const row = await tables.get('widgets', widget_id);
  const own = row?.project_id === project_id ? row : null;
  if (be === null ? row === null : own !== null && isThere(own, be)) return false;
  if (was === null && row) throw since(`the widget ${quote(own?.title ?? '')} is there again`);
  if (was !== null && !own) throw since(`the widget ${quote(was.title ?? widget_id)} was deleted`);
  const other = own && was && differing(own, was);
  if (other) throw changedSince(`the ${other.field} of the widget ${quote(own?.title ?? '')}`, other);
  if (be === null) return tables.remove('widgets', widget_id);
  const { title, type, sources, layout, range } = be;
  if (own) {
    const after = await tables.patch('widgets', widget_id, { title, type, sources, layout, range });
    if (after && (type ?? layout ?? range) !== undefined) requireShape(after);
  } else {
    if (!title || !type || !sources || !layout || !range)
      throw badRequest('be must have title, type, sources, layout and range where was is null');
    requireShape({ type, layout, range });
    await requireRoomForWidgets(tables, project_id, 1);
    await tables.insert('widgets', {
      id: widget_id,
      project_id,
      title,
      type,
      sources,
      layout,
      range,
      created: clock.now(),
    });
  }
  if (sources) await requireDevices(tables, project_id, sources);
  return true;
}
