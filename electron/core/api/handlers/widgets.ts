import { randomUUID } from 'node:crypto';
import { badRequest, notFound } from '../../errors.ts';
import { indexOf } from '../../store/metadata/metadata-index.ts';
import { nextSequence, type Metadata } from '../../store/metadata/metadata-schema.ts';
import type { Handlers } from '../context.ts';
import { widgetView } from '../resources.ts';

export const widgetHandlers: Handlers<'widgets'> = {
  'widgets.list': ({ project }, { metadata }) => ({
    data: indexOf(metadata.state).widgetsOf(project.id).map(widgetView),
  }),

  'widgets.get': ({ widget }) => ({ data: widgetView(widget) }),

  async 'widgets.create'({ input, project }, { metadata, clock }) {
    const created = await metadata.update((draft) => {
      requireDevices(draft, project.id, input.sources);
      const row = {
        id: randomUUID(),
        project_id: project.id,
        title: input.title,
        type: input.type,
        sources: input.sources,
        layout: input.layout,
        range: input.range,
        created: clock.now(),
        sequence: nextSequence(draft),
      };
      draft.widgets[row.id] = row;
      return row;
    });
    return { data: widgetView(created) };
  },

  async 'widgets.update'({ input, widget }, { metadata }) {
    const updated = await metadata.update((draft) => {
      const row = draft.widgets[widget.id];
      if (!row) throw notFound('Widget');
      if (input.sources) {
        requireDevices(draft, row.project_id, input.sources);
        row.sources = input.sources;
      }
      row.title = input.title ?? row.title;
      row.type = input.type ?? row.type;
      row.layout = input.layout ?? row.layout;
      row.range = input.range ?? row.range;
      return row;
    });
    return { data: widgetView(updated) };
  },

  async 'widgets.delete'({ widget }, { metadata }) {
    await metadata.update((draft) => {
      if (!draft.widgets[widget.id]) throw notFound('Widget');
      delete draft.widgets[widget.id];
    });
    return { data: { id: widget.id } };
  },
};

function requireDevices(
  state: Pick<Metadata, 'devices'>,
  project_id: string,
  sources: readonly { readonly device_id: string }[],
): void {
  const stranger = sources.findIndex(({ device_id }) => state.devices[device_id]?.project_id !== project_id);
  if (stranger < 0) return;
  const got = sources[stranger]?.device_id;
  throw badRequest(`sources.${stranger}.device_id must be the id of a device of this project, got "${got}"`);
}
