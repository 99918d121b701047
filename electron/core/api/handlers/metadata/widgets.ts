import { notFound } from '../../../base/errors.ts';
import type { HandlersOf } from '../../context.ts';
import { widgetView } from '../../resources.ts';
import { fileOfWidgets, placeInFile, sourcesFound } from '../../widgets/dashboard-file.ts';
import {
  announceWidgets,
  requireDevices,
  requireRoomForWidgets,
  requireShape,
} from '../../widgets/check-widget.ts';

export const widgetHandlers: HandlersOf<'widgets'> = {
  async 'widgets.list'({ project }, { metadata }) {
    const widgets = await metadata.read((tables) => tables.list('widgets', { project_id: project.id }));
    return { data: widgets.map(widgetView) };
  },

  'widgets.get': ({ widget }) => ({ data: widgetView(widget) }),

  async 'widgets.create'({ input, project }, context) {
    const { metadata, clock, chance } = context;
    const { title, type, sources, layout, range } = input;
    requireShape(input);
    const created = await metadata.change(async (tables) => {
      if (!(await tables.get('projects', project.id))) throw notFound('Project');
      await requireDevices(tables, project.id, sources);
      await requireRoomForWidgets(tables, project.id, 1);
      return tables.insert('widgets', {
        id: chance.of(project.account_id).uuid(),
        project_id: project.id,
        title,
        type,
        sources,
        layout,
        range,
        created: clock.now(),
      });
    });
    announceWidgets(project, context);
    return { data: widgetView(created) };
  },

  async 'widgets.update'({ input, project, widget }, context) {
    const { title, type, sources, layout, range } = input;
    const updated = await context.metadata.change(async (tables) => {
      const row = await tables.patch('widgets', widget.id, { title, type, sources, layout, range });
      if (!row) throw notFound('Widget');
      // A widget of before its type had a shape can still be renamed.
      if (type !== undefined || layout !== undefined || range !== undefined) requireShape(row);
      if (sources) await requireDevices(tables, row.project_id, sources);
      return row;
    });
    announceWidgets(project, context);
    return { data: widgetView(updated) };
  },

  async 'widgets.delete'({ project, widget }, context) {
    if (!(await context.metadata.change((tables) => tables.remove('widgets', widget.id))))
      throw notFound('Widget');
    announceWidgets(project, context);
    return { data: { id: widget.id } };
  },

  async 'widgets.export'({ project }, { metadata }) {
    return { data: await metadata.read((tables) => fileOfWidgets(tables, project.id)) };
  },

  async 'widgets.import'({ input, project }, context) {
    const { dashboard, dry_run } = input;
    const { metadata, clock, chance } = context;
    for (const [place, one] of dashboard.widgets.entries()) requireShape(one, `dashboard.widgets.${place}.`);
    if (dry_run) {
      const { devices } = await metadata.read((tables) => sourcesFound(tables, project.id, dashboard));
      return { data: { widgets: [], devices: [...devices] } };
    }
    const made = await metadata.change(async (tables) => {
      if (!(await tables.get('projects', project.id))) throw notFound('Project');
      await requireRoomForWidgets(tables, project.id, dashboard.widgets.length);
      const { devices, sourcesOf } = await sourcesFound(tables, project.id, dashboard);
      const below = await placeInFile(tables, project.id);
      const widgets = [];
      for (const { title, type, sources, layout, range } of dashboard.widgets)
        widgets.push(
          await tables.insert('widgets', {
            id: chance.of(project.account_id).uuid(),
            project_id: project.id,
            title,
            type,
            sources: sourcesOf(sources),
            layout: below(type, layout),
            range,
            created: clock.now(),
          }),
        );
      return { widgets, devices };
    });
    announceWidgets(project, context);
    return { data: { widgets: made.widgets.map(widgetView), devices: [...made.devices] } };
  },
};
