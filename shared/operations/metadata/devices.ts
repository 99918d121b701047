import { z } from 'zod';
import { SOURCES } from '../../domain/sources.ts';
import { STATUSES } from '../../domain/device-status.ts';
import { operation } from '../../schema/operation.ts';
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
  keyList,
  keptDeletion,
  MAX_PAGE_LIMIT,
  oneOf,
  reason,
  timestamp,
  view,
  wholeNumber,
  widgetBefore,
} from '../../schema/schemas.ts';
import { inProject, oneDevice } from '../../schema/paths.ts';

const tagsRule = 'must be tags separated by ","';
const tagList = z.string(tagsRule).default('');

/** The last value of a key. */
export const lastValue = z.object({
  key: z.string(),
  /** A text of more than 200 characters is cut. */
  value: z.union([z.number(), z.string(), z.boolean()]),
  timestamp,
  /** Whether it lies outside of the key's normal range. */
  outside: z.boolean(),
  /** Whether a correction speaks of the key, or of all keys: never in the raw view. */
  corrected: z.boolean(),
});
lastValue.register(z.globalRegistry, { id: 'LastValue' });
export type FoundValue = z.infer<typeof lastValue>;

/** Last values of a device in a list. */
const MOST_VALUES = 3;
/** Widgets that have a moved device again. */
const MOST_WIDGETS = 10_000;

/** A device as people look for it: the item of /v2's list, and what tells it from others. */
const foundDevice = deviceItem
  .extend({
    tags: z.array(z.string()),
    source: z.enum(SOURCES),
    records: count,
    /** The newest record's time; null without records. An import brings records, but is no sign of life. */
    newest: timestamp.nullable(),
    /** Whether it stores as often as it should. */
    status: z.enum(STATUSES),
    interval_s: z.number().nullable(),
    values: z.array(lastValue),
    /** Whether the last value of any of its keys lies outside of its normal range. */
    outside: z.boolean(),
    /** Whether it is read through corrections: never in the raw view. */
    corrected: z.boolean(),
  })
  .meta({ id: 'FoundDevice' });
export type FoundDevice = z.infer<typeof foundDevice>;

/** A device with what /v2 does not name. */
const localDevice = device.extend({ interval_s: z.number().nullable() });
localDevice.register(z.globalRegistry, { id: 'LocalDevice' });
export type LocalDevice = z.infer<typeof localDevice>;

const intervalRule = 'must be seconds from 0.001 to 31536000, or null';
/** Interval at which a device stores. */
export const intervalField = z.number(intervalRule).min(0.001, intervalRule).max(31_536_000, intervalRule);

/** Devices that are made at once. */
const MOST_AT_ONCE = 10_000;
const manyRule = `must be an array of 1 to ${MOST_AT_ONCE} devices`;

/** Summary of a device that a chart needs before it asks for data. */
const deviceSummary = z.object({
  records: count,
  first: timestamp.nullable(),
  last: timestamp.nullable(),
  last_seen: timestamp,
  purged_at: timestamp.nullable(),
  source: z.enum(SOURCES),
  interval_s: z.number().nullable(),
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
    permissions: ['write'],
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
    permissions: ['read'],
    action: 'get devices',
    message: 'Devices retrieved successfully.',
    description: 'The devices of a project: latest seen first, then newest created.',
    input: inProject,
    output: z.array(deviceItem),
  }),
  'devices.get': operation({
    method: 'GET',
    path: '/v2/projects/:project_id/devices/:device_id',
    permissions: ['read'],
    action: 'get device',
    message: 'Device retrieved successfully.',
    description: 'One device with its tags, credentials and metadata.',
    input: oneDevice,
    output: device,
  }),
  'devices.delete': operation({
    method: 'DELETE',
    path: '/v2/projects/:project_id/devices/:device_id',
    permissions: ['delete'],
    action: 'delete device',
    message: 'Device deleted successfully.',
    description:
      'Deletes a device with its records, functions and related widgets. It cannot be undone, unless the setting keep_v2_deletes says so.',
    input: oneDevice,
    output: deletion,
  }),

  // docs/local-api.md, "Beyond /v2"
  'devices.remove': operation({
    method: 'DELETE',
    path: '/_local/v1/projects/:project_id/devices/:device_id',
    permissions: ['delete'],
    asksForReason: true,
    action: 'delete device',
    message: 'Device deleted successfully.',
    description:
      'Deletes a device with its records, functions, notes, key settings and related widgets, so that it can be undone.',
    input: oneDevice.extend({ reason: reason.optional() }),
    output: keptDeletion,
  }),
  'devices.find': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices',
    permissions: ['admin'],
    action: 'find devices',
    message: 'Devices retrieved successfully.',
    description:
      'Devices as people look for them, with their tags, source, status, last values, number of records and newest record.',
    input: inProject.extend({
      /** Words, each in name, tags, brand, model or description, or the beginning of the id; no case, no accents. */
      search: z.string('must be text').default(''),
      /** Separated by ","; the device has all of them, exactly so. */
      tags: tagList,
      /** The device has at least one of them, and none of them. */
      any_tags: tagList,
      not_tags: tagList,
      /** Ids separated by ",": these devices alone. */
      ids: z.string('must be ids separated by ","').optional(),
      source: oneOf(SOURCES).optional(),
      status: oneOf(STATUSES).optional(),
      /** Whether any last value lies outside of its normal range. */
      outside: oneOf(['true', 'false']).optional(),
      /** Of which keys to tell the last values, up to three; absent: of the first of its own. */
      keys: keyList.refine(
        (keys) => (keys?.length ?? 0) <= MOST_VALUES,
        `must be at most ${MOST_VALUES} data keys`,
      ),
      /** Up to how many last values. */
      values: wholeNumber(0, MOST_VALUES).default(MOST_VALUES),
      view,
      /** Latest seen first (as the list under /v2), newest created first, by name, what needs somebody first, most records first. */
      sort: oneOf(['seen', 'created', 'name', 'status', 'records']).default('seen'),
      page: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(1),
      limit: wholeNumber(1, MAX_PAGE_LIMIT).default(100),
    }),
    output: z.array(foundDevice),
  }),
  'devices.update': operation({
    method: 'PATCH',
    path: '/_local/v1/projects/:project_id/devices/:device_id',
    permissions: ['admin'],
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
      interval_s: intervalField.nullable().optional(),
    }),
    output: localDevice,
  }),
  'devices.create-many': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices',
    permissions: ['admin'],
    action: 'create devices',
    message: 'Devices created successfully.',
    description: 'Adds many devices to a project: all of them, or none where one cannot be made.',
    status: 201,
    input: inProject.extend({
      devices: z
        .array(
          z.object(
            {
              name: deviceFields.name,
              source: oneOf(SOURCES).default('http'),
              description: deviceFields.description.default(''),
              tags: deviceFields.tags.default([]),
              brand: deviceFields.brand.default('Custom'),
              model: deviceFields.model.default('Custom'),
              interval_s: intervalField.nullable().default(null),
            },
            'must be an object with a name',
          ),
          manyRule,
        )
        .min(1, manyRule)
        .max(MOST_AT_ONCE, manyRule),
    }),
    output: z.array(createdDevice),
  }),
  'devices.move': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/move',
    permissions: ['admin'],
    action: 'move device',
    message: 'Device moved successfully.',
    description:
      'Moves a device to another project of the account, with its records, token, functions, key settings, notes, alarms and corrections. Widgets of its project lose it as a source; those that are named have it again.',
    input: oneDevice.extend({
      to: z.string('must be the id of a project'),
      widgets: z
        .array(widgetBefore, 'must be an array of {id, sources}')
        .max(MOST_WIDGETS, `must name at most ${MOST_WIDGETS} widgets`)
        .optional(),
    }),
    output: localDevice.extend({ widgets: z.array(widgetBefore) }),
  }),
  'devices.renew-token': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/devices/:device_id/token',
    permissions: ['admin'],
    action: 'renew token',
    message: 'Device token renewed successfully.',
    description: 'Gives a device another token. The old one is unknown from then on.',
    input: oneDevice,
    output: credentials,
  }),
  'devices.summary': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/summary',
    permissions: ['admin'],
    action: 'get summary',
    message: 'Device summary retrieved successfully.',
    description: 'How many records a device has, of which keys and times.',
    input: oneDevice.extend({ view }),
    output: deviceSummary,
  }),
  'devices.impact': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/impact',
    permissions: ['admin'],
    action: 'get impact',
    message: 'Impact retrieved successfully.',
    description: 'What deleting the device would remove.',
    input: oneDevice,
    output: impact,
  }),
} as const;
