import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  count,
  createdDevice,
  credentials,
  deletion,
  device,
  deviceFields,
  deviceItem,
  impact,
  jsonObject,
  MAX_PAGE_LIMIT,
  oneOf,
  SOURCES,
  timestamp,
  wholeNumber,
} from '../schemas.ts';
import { inProject, oneDevice } from './paths.ts';

const tagsRule = 'must be tags separated by ","';

/** A device as people look for it: the item of /v2's list, and what tells it from others. */
const foundDevice = deviceItem
  .extend({
    tags: z.array(z.string()),
    source: z.enum(SOURCES),
    records: count,
    /** The newest record's time; null without records. An import brings records, but is no sign of life. */
    newest: timestamp.nullable(),
  })
  .meta({ id: 'FoundDevice' });
export type FoundDevice = z.infer<typeof foundDevice>;

/** What a chart needs to know of a device before it asks for data. */
const deviceSummary = z.object({
  records: count,
  first: timestamp.nullable(),
  last: timestamp.nullable(),
  last_seen: timestamp,
  purged_at: timestamp.nullable(),
  source: z.enum(SOURCES),
  bytes: count,
  keys: z.array(z.object({ key: z.string(), count, numeric: count })),
});
deviceSummary.register(z.globalRegistry, { id: 'DeviceSummary' });
export type DeviceSummary = z.infer<typeof deviceSummary>;

export const deviceOperations = {
  // docs/api.md, "Devices"
  'devices.create': operation({
    method: 'POST',
    path: '/v2/projects/:project_id/devices',
    permission: 'write',
    action: 'create device',
    message: 'Device created successfully.',
    description:
      'Adds a device to a project. `metadata` of the answer carries the token with which the device stores records.',
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
    description: 'The devices of a project: latest seen first, then newest created.',
    input: inProject,
    output: z.array(deviceItem),
  }),
  'devices.get': operation({
    method: 'GET',
    path: '/v2/projects/:project_id/devices/:device_id',
    permission: 'read',
    action: 'get device',
    message: 'Device retrieved successfully.',
    description: 'One device with its tags, credentials and metadata.',
    input: oneDevice,
    output: device,
  }),
  'devices.delete': operation({
    method: 'DELETE',
    path: '/v2/projects/:project_id/devices/:device_id',
    permission: 'delete',
    action: 'delete device',
    message: 'Device deleted successfully.',
    description: 'Deletes a device with its records, functions and related widgets, for good.',
    input: oneDevice,
    output: deletion,
  }),

  // docs/api.md, "Beyond /v2"
  'devices.find': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices',
    permission: 'admin',
    action: 'find devices',
    message: 'Devices retrieved successfully.',
    description:
      'Devices as people look for them, with their tags, source, number of records and newest record.',
    input: inProject.extend({
      /** Words, each in name, tags, brand, model or description, or the beginning of the id; no case, no accents. */
      search: z.string('must be text').default(''),
      /** Separated by ","; the device has all of them, exactly so. */
      tags: z.string(tagsRule).default(''),
      source: oneOf(SOURCES).optional(),
      /** Latest seen first (as the list under /v2), newest created first, or by name. */
      sort: oneOf(['seen', 'created', 'name']).default('seen'),
      page: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(1),
      limit: wholeNumber(1, MAX_PAGE_LIMIT).default(100),
    }),
    output: z.array(foundDevice),
  }),
  'devices.update': operation({
    method: 'PATCH',
    path: '/_local/v1/projects/:project_id/devices/:device_id',
    permission: 'admin',
    action: 'update device',
    message: 'Device updated successfully.',
    description: 'Changes the fields of a device that are given.',
    input: oneDevice.extend({
      name: deviceFields.name.optional(),
      description: deviceFields.description.optional(),
      tags: deviceFields.tags.optional(),
      brand: deviceFields.brand.optional(),
      model: deviceFields.model.optional(),
      metadata: jsonObject.optional(),
    }),
    output: device,
  }),
  'devices.renew-token': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/token',
    permission: 'admin',
    action: 'renew token',
    message: 'Device token renewed successfully.',
    description: 'Gives a device another token. The old one is unknown from then on.',
    input: oneDevice,
    output: credentials,
  }),
  'devices.summary': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/summary',
    permission: 'admin',
    action: 'get summary',
    message: 'Device summary retrieved successfully.',
    description: 'How many records a device has, of which keys and times.',
    input: oneDevice,
    output: deviceSummary,
  }),
  'devices.impact': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/impact',
    permission: 'admin',
    action: 'get impact',
    message: 'Impact retrieved successfully.',
    description: 'What deleting the device would remove.',
    input: oneDevice,
    output: impact,
  }),
} as const;
