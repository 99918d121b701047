import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { deviceFunction, functionFields, id, uuid } from '../../schema/schemas.ts';
import { inProject } from '../../schema/paths.ts';

const oneFunction = inProject.extend({ function_id: id });
const functionsPath = '/_local/v1/projects/:project_id/functions';

/** Functions are stored under their project; the service does not run them. */
export const functionOperations = {
  'functions.list': operation({
    method: 'GET',
    path: functionsPath,
    permissions: ['admin'],
    action: 'get functions',
    message: 'Functions retrieved successfully.',
    description: 'The functions of a project.',
    input: inProject,
    output: z.array(deviceFunction),
  }),
  'functions.create': operation({
    method: 'POST',
    path: functionsPath,
    permissions: ['admin'],
    action: 'create function',
    message: 'Function created successfully.',
    description: 'Adds a function to a device of the project.',
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
    permissions: ['admin'],
    action: 'get function',
    message: 'Function retrieved successfully.',
    description: 'One function.',
    input: oneFunction,
    output: deviceFunction,
  }),
  'functions.update': operation({
    method: 'PATCH',
    path: `${functionsPath}/:function_id`,
    permissions: ['admin'],
    action: 'update function',
    message: 'Function updated successfully.',
    description: 'Changes the fields of a function that are given.',
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
    permissions: ['delete'],
    action: 'delete function',
    message: 'Function deleted successfully.',
    description: 'Deletes a function.',
    input: oneFunction,
    output: z.object({ id: uuid }),
  }),
} as const;
