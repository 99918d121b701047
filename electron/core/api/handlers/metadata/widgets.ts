import { badRequest, notFound } from '../../../base/errors.ts';
import type { Tables } from '../../../store/metadata/metadata.ts';
import type { HandlersOf } from '../../context.ts';
import { widgetView } from '../../resources.ts';

export const widgetHandlers: HandlersOf<'widgets'> = {
  async 'widgets.list'({ project }, { metadata }) {
    const widgets = await metadata.read((tables) => tables.list('widgets', { project_id: project.id }));
    return { data: widgets.map(widgetView) };
  },

  'widgets.get': ({ widget }) => ({ data: widgetView(widget) }),

  async 'widgets.create'({ input, project }, { metadata, clock, chance }) {
    const created = await metadata.change(async (tables) => {
      if (!(await tables.get('projects', project.id))) throw notFound('Project');
      await requireDevices(tables, project.id, input.sources);
      return tables.insert('widgets', {
        id: chance.of(project.account_id).uuid(),
        project_id: project.id,
        title: input.title,
        type: input.type,
        sources: input.sources,
        layout: input.layout,
        range: input.range,
        created: clock.now(),
      });
    });
    return { data: widgetView(created) };
  },

  async 'widgets.update'({ input, widget }, { metadata }) {
    const { title, type, sources, layout, range } = input;
    const updated = await metadata.change(async (tables) => {
      const row = await tables.patch('widgets', widget.id, { title, type, sources, layout, range });
      if (!row) throw notFound('Widget');
      if (sources) await requireDevices(tables, row.project_id, sources);
      return row;
    });
    return { data: widgetView(updated) };
  },

  async 'widgets.delete'({ widget }, { metadata }) {
    if (!(await metadata.change((tables) => tables.remove('widgets', widget.id)))) throw notFound('Widget');
    return { data: { id: widget.id } };
  },
};

async function requireDevices(
  tables: Tables,
  project_id: string,
  sources: readonly { readonly device_id: string }[],
): Promise<void> {
  for (const [place, { device_id }] of sources.entries()) {
    if ((await tables.get('devices', device_id))?.project_id !== project_id)
      throw badRequest(
        `sources.${place}.device_id must be the id of a device of this project, got "${device_id}"`,
      );
  }
}
