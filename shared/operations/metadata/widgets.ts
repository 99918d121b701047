import { z } from 'zod';
import { MOST_WIDGETS } from '../../domain/dashboard.ts';
import { operation } from '../../schema/operation.ts';
import { id, MOST_SOURCES, text, uuid, widget, widgetFields } from '../../schema/schemas.ts';
import { inProject } from '../../schema/paths.ts';

const oneWidget = inProject.extend({ widget_id: id });
const widgetsPath = '/_local/v1/projects/:project_id/widgets';
const filePath = '/_local/v1/projects/:project_id/dashboard';

/** A device as a file of widgets names it: found by its id, else by its whole name. */
const namedDevice = z.object({ id, name: text(0, 100) }, 'must be {id, name}');

/** A widget as a file has it. */
const writtenWidget = z.object(
  {
    ...widgetFields,
    sources: z
      .array(
        z.object(
          { device: namedDevice, key: widgetFields.sources.element.shape.key },
          'must be {device, key}',
        ),
        'must be an array of {device: {id, name}, key}',
      )
      .max(MOST_SOURCES, `must hold at most ${MOST_SOURCES} sources`),
  },
  'must be {title, type, sources, layout, range}',
);

const fileRule = `must be an array of at most ${MOST_WIDGETS} widgets`;

/** The widgets of a project as a file (docs/dashboards.md, "Export and import"). */
const dashboardFile = z.object(
  {
    fieldbench: z.literal('dashboard', 'must be "dashboard"'),
    version: z.literal(1, 'must be 1'),
    widgets: z.array(writtenWidget, fileRule).max(MOST_WIDGETS, fileRule),
  },
  'must be a file of widgets, {fieldbench: "dashboard", version: 1, widgets}',
);
/** The same as an answer, which has no other members. */
const writtenFile = z.object(dashboardFile.shape).meta({ id: 'DashboardFile' });
export type DashboardFile = z.infer<typeof dashboardFile>;

/** A device of a file, and the one of the project that it was found to be. */
const foundSource = namedDevice.extend({ device_id: uuid.nullable(), by: z.enum(['id', 'name']).nullable() });
foundSource.register(z.globalRegistry, { id: 'ImportedDevice' });
export type ImportedDevice = z.infer<typeof foundSource>;

export const widgetOperations = {
  'widgets.list': operation({
    method: 'GET',
    path: widgetsPath,
    permissions: ['admin'],
    action: 'get widgets',
    message: 'Widgets retrieved successfully.',
    description: 'The widgets of a project.',
    input: inProject,
    output: z.array(widget),
  }),
  'widgets.create': operation({
    method: 'POST',
    path: widgetsPath,
    permissions: ['admin'],
    action: 'create widget',
    message: 'Widget created successfully.',
    description: 'Adds a widget that shows keys of devices of the project.',
    input: inProject.extend({
      title: widgetFields.title,
      type: widgetFields.type,
      sources: widgetFields.sources,
      layout: widgetFields.layout.default({}),
      range: widgetFields.range.default({}),
    }),
    output: widget,
  }),
  'widgets.get': operation({
    method: 'GET',
    path: `${widgetsPath}/:widget_id`,
    permissions: ['admin'],
    action: 'get widget',
    message: 'Widget retrieved successfully.',
    description: 'One widget.',
    input: oneWidget,
    output: widget,
  }),
  'widgets.update': operation({
    method: 'PATCH',
    path: `${widgetsPath}/:widget_id`,
    permissions: ['admin'],
    action: 'update widget',
    message: 'Widget updated successfully.',
    description: 'Changes the fields of a widget that are given.',
    input: oneWidget.extend({
      title: widgetFields.title.optional(),
      type: widgetFields.type.optional(),
      sources: widgetFields.sources.optional(),
      layout: widgetFields.layout.optional(),
      range: widgetFields.range.optional(),
    }),
    output: widget,
  }),
  'widgets.delete': operation({
    method: 'DELETE',
    path: `${widgetsPath}/:widget_id`,
    permissions: ['delete'],
    action: 'delete widget',
    message: 'Widget deleted successfully.',
    description: 'Deletes a widget.',
    input: oneWidget,
    output: z.object({ id: uuid }),
  }),
  'widgets.export': operation({
    method: 'GET',
    path: filePath,
    permissions: ['admin'],
    action: 'export widgets',
    message: 'Widgets exported successfully.',
    description:
      'The widgets of a project as a file that `widgets.import` takes, of any project and service. Devices are in it by id and name.',
    input: inProject,
    output: writtenFile,
  }),
  'widgets.import': operation({
    method: 'POST',
    path: filePath,
    permissions: ['admin'],
    action: 'import widgets',
    message: 'Widgets imported successfully.',
    description:
      'Adds the widgets of a file below those of the project: all of them, or none. Devices are found by id, else by their whole name where one device alone has it; a source whose device is not found is left out. `devices` says what was found. With `dry_run` nothing is made.',
    input: inProject.extend({
      dashboard: dashboardFile,
      dry_run: z.boolean('must be true or false').default(false),
    }),
    output: z.object({
      /** Those that were made; none for a `dry_run`. */
      widgets: z.array(widget),
      devices: z.array(foundSource),
    }),
  }),
} as const;
