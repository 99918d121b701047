import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import {
  checkOrder,
  dataRecord,
  deletion,
  instant,
  keyList,
  MAX_PAGE_LIMIT,
  oneOf,
  wholeNumber,
} from '../../schema/schemas.ts';
import type { TimeRange } from '../../values/time.ts';
import { oneDevice } from '../../schema/paths.ts';

/** A time that is only looked at with range "time", but is published as what it then is. */
const unread = z.unknown().meta({ type: 'string', format: 'date-time' });

/**
 * docs/api.md, "Fetch data". `start` and `end` count only with range "time"; with "all" they are not
 * looked at, so that what stands there cannot fail.
 */
const fetchData = oneDevice
  .extend({
    page: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(1, MAX_PAGE_LIMIT),
    range: oneOf(['all', 'time']),
    start: unread.optional(),
    end: unread.optional(),
    keys: keyList,
  })
  .transform(({ project_id, device_id, page, limit, range, start, end, keys }, context) => {
    const time: TimeRange = range === 'all' ? {} : readRange({ start, end }, context);
    return { project_id, device_id, page, limit, time, keys };
  });

function readRange(given: { readonly start: unknown; readonly end: unknown }, context: z.RefinementCtx) {
  const range: { start?: number; end?: number } = {};
  for (const name of ['start', 'end'] as const) {
    const read = instant.safeParse(given[name]);
    if (read.success) range[name] = read.data;
    else context.addIssue({ code: 'custom', path: [name], message: read.error.issues[0]?.message ?? '' });
  }
  checkOrder(range, context);
  return range;
}

export const dataOperations = {
  'data.list': operation({
    method: 'GET',
    path: '/v2/projects/:project_id/devices/:device_id/data',
    permissions: ['read'],
    action: 'retrieve data',
    message: 'Device data fetched successfully.',
    description:
      'One page of records: newest timestamp first, equal ones latest arrival first. A page past the end is empty. A record that lacks every asked key still takes its place, as its timestamp alone.',
    input: fetchData,
    output: z.array(dataRecord),
  }),
  'data.keys': operation({
    method: 'GET',
    path: '/v2/projects/:project_id/devices/:device_id/data/keys',
    permissions: ['read'],
    action: 'get data keys',
    message: 'Device data keys fetched successfully.',
    description: 'The data keys of a device, sorted, without `timestamp`.',
    input: oneDevice,
    output: z.array(z.string()),
  }),
  'data.purge': operation({
    method: 'DELETE',
    path: '/v2/projects/:project_id/devices/:device_id/data',
    permissions: ['delete'],
    action: 'purge data',
    message: 'Data deleted successfully.',
    description:
      'Deletes all records of a device. The device stays. It cannot be undone, unless the setting keep_v2_deletes says so.',
    input: oneDevice,
    output: deletion,
  }),
} as const;
