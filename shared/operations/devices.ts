import { z } from 'zod';
import { operation } from '../operation.ts';
import { createdDevice, deletion, device, deviceFields, deviceItem, id, oneOf, SOURCES } from '../schemas.ts';

const inProject = z.object({ project_id: id });
const oneDevice = z.object({ project_id: id, device_id: id });

/** Document 4.2. */
export const deviceOperations = {
  'devices.create': operation({
    method: 'POST',
    path: '/v2/projects/:project_id/devices',
    permission: 'write',
    action: 'create device',
    message: 'Device created successfully.',
    status: 201,
    input: inProject.extend({
      name: deviceFields.name,
      source: oneOf(SOURCES),
      description: deviceFields.description.default(''),
      tags: deviceFields.tags.default([]),
      brand: deviceFields.brand.default('Custom'),
      model: deviceFields.model.default('Custom'),
    }),
    output: createdDevice,
  }),
  'devices.list': operation({
    method: 'GET',
    path: '/v2/projects/:project_id/devices',
    permission: 'read',
    action: 'get devices',
    message: 'Devices retrieved successfully.',
    input: inProject,
    output: z.array(deviceItem),
  }),
  'devices.get': operation({
    method: 'GET',
    path: '/v2/projects/:project_id/devices/:device_id',
    permission: 'read',
    action: 'get device',
    message: 'Device retrieved successfully.',
    input: oneDevice,
    output: device,
  }),
  'devices.delete': operation({
    method: 'DELETE',
    path: '/v2/projects/:project_id/devices/:device_id',
    permission: 'delete',
    action: 'delete device',
    message: 'Device deleted successfully.',
    input: oneDevice,
    output: deletion,
  }),
} as const;
