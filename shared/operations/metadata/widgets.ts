import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { id, uuid, widget, widgetFields } from '../../schema/schemas.ts';
import { inProject } from '../../schema/paths.ts';

const oneWidget = inProject.extend({ widget_id: id });
const widgetsPath = '/_local/v1/projects/:project_id/widgets';

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
} as const;
