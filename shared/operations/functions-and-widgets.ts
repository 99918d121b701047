import { z } from 'zod';
import { operation } from '../operation.ts';
import { deviceFunction, functionFields, id, uuid, widget, widgetFields } from '../schemas.ts';

/** Contract "Beyond the document": functions and widgets, stored under their project. */

const inProject = z.object({ project_id: id });
const oneFunction = z.object({ project_id: id, function_id: id });
const oneWidget = z.object({ project_id: id, widget_id: id });

const functionsPath = '/_local/v1/projects/:project_id/functions';
const widgetsPath = '/_local/v1/projects/:project_id/widgets';

export const functionAndWidgetOperations = {
  'functions.list': operation({
    method: 'GET',
    path: functionsPath,
    permission: 'admin',
    action: 'get functions',
    message: 'Functions retrieved successfully.',
    input: inProject,
    output: z.array(deviceFunction),
  }),
  'functions.create': operation({
    method: 'POST',
    path: functionsPath,
    permission: 'admin',
    action: 'create function',
    message: 'Function created successfully.',
    input: inProject.extend({
      device_id: functionFields.device_id,
      name: functionFields.name,
      type: functionFields.type,
      enabled: functionFields.enabled.default(true),
      script: functionFields.script.nullish(),
      condition: functionFields.condition.nullish(),
    }),
    output: deviceFunction,
  }),
  'functions.get': operation({
    method: 'GET',
    path: `${functionsPath}/:function_id`,
    permission: 'admin',
    action: 'get function',
    message: 'Function retrieved successfully.',
    input: oneFunction,
    output: deviceFunction,
  }),
  'functions.update': operation({
    method: 'PATCH',
    path: `${functionsPath}/:function_id`,
    permission: 'admin',
    action: 'update function',
    message: 'Function updated successfully.',
    input: oneFunction.extend({
      name: functionFields.name.optional(),
      type: functionFields.type.optional(),
      enabled: functionFields.enabled.optional(),
      script: functionFields.script.nullish(),
      condition: functionFields.condition.nullish(),
    }),
    output: deviceFunction,
  }),
  'functions.delete': operation({
    method: 'DELETE',
    path: `${functionsPath}/:function_id`,
    permission: 'admin',
    action: 'delete function',
    message: 'Function deleted successfully.',
    input: oneFunction,
    output: z.object({ id: uuid }),
  }),
  'widgets.list': operation({
    method: 'GET',
    path: widgetsPath,
    permission: 'admin',
    action: 'get widgets',
    message: 'Widgets retrieved successfully.',
    input: inProject,
    output: z.array(widget),
  }),
  'widgets.create': operation({
    method: 'POST',
    path: widgetsPath,
    permission: 'admin',
    action: 'create widget',
    message: 'Widget created successfully.',
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
    permission: 'admin',
    action: 'get widget',
    message: 'Widget retrieved successfully.',
    input: oneWidget,
    output: widget,
  }),
  'widgets.update': operation({
    method: 'PATCH',
    path: `${widgetsPath}/:widget_id`,
    permission: 'admin',
    action: 'update widget',
    message: 'Widget updated successfully.',
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
    permission: 'admin',
    action: 'delete widget',
    message: 'Widget deleted successfully.',
    input: oneWidget,
    output: z.object({ id: uuid }),
  }),
} as const;
