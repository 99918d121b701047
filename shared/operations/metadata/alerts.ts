import { z } from 'zod';
import { MOST_ALERTED } from '../../domain/alerts.ts';
import { STATUSES } from '../../domain/device-status.ts';
import { operation } from '../../schema/operation.ts';
import { count, timestamp, uuid, view } from '../../schema/schemas.ts';
import { lastValue } from './devices.ts';
import { splitList } from '../../values/text.ts';

/* docs/local-api.md, "Alerts": what is wrong with devices now, over all projects. */

const listRule = 'must be ids separated by ","';
const mostRule = `must be at most ${MOST_ALERTED} ids`;

/** The last value of a key that has a normal range. */
const rangedValue = lastValue.extend({
  /** Of the settings of the key. */
  shown_as: z.string(),
  unit: z.string(),
  decimals: z.number().nullable(),
  /** The normal range, both ends included; null where it is open. */
  low: z.number().nullable(),
  high: z.number().nullable(),
});
export type RangedValue = Readonly<z.infer<typeof rangedValue>>;

const alertedDevice = z
  .object({
    id: uuid,
    name: z.string(),
    project_id: uuid,
    /** Name of the project. */
    project: z.string(),
    status: z.enum(STATUSES),
    interval_s: z.number().nullable(),
    /** Null for never. */
    last_seen: timestamp.nullable(),
    /** When its silence was longer than it may be; null where it is not late. */
    late_since: timestamp.nullable(),
    /** Whether it is read through corrections: never in the raw view. */
    corrected: z.boolean(),
    /** Of a device that was asked for the values of all keys with a normal range, else those outside. */
    values: z.array(rangedValue),
  })
  .meta({ id: 'AlertedDevice' });
export type AlertedDevice = Readonly<z.infer<typeof alertedDevice>>;

const alerts = z
  .object({
    as_of: timestamp,
    /** Devices that are late. */
    late: count,
    /** Last values outside of the normal range of their key. */
    outside: count,
    /** Whether `devices` has every one of them. */
    complete: z.boolean(),
    /** What came about last first; behind it devices that were asked for and are well. */
    devices: z.array(alertedDevice),
  })
  .meta({ id: 'Alerts' });
export type Alerts = Readonly<z.infer<typeof alerts>>;

export const alertOperations = {
  'alerts.list': operation({
    method: 'GET',
    path: '/_local/v1/alerts',
    permissions: ['admin'],
    action: 'get alerts',
    message: 'Alerts retrieved successfully.',
    description: `The devices that are late and the last values outside of their normal range, of all projects that the key may see: how many there are, and the ${MOST_ALERTED} devices where that came about last. With \`ids\` also how these devices are.`,
    input: z.object({
      ids: z
        .string(listRule)
        .default('')
        .transform(splitList)
        .refine((ids) => ids.length <= MOST_ALERTED, mostRule),
      view,
    }),
    output: alerts,
  }),
} as const;
