import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { count, timestamp, view } from '../../schema/schemas.ts';
import { oneDevice } from '../../schema/paths.ts';

/* docs/local-api.md, "Key facts": what a device has of each of its keys. */

const keyFacts = z
  .object({
    key: z.string(),
    /** Records that carry it; of those, the ones whose value is a number or a boolean. */
    count,
    numeric: count,
    /** Of its numbers; booleans count as 1 and 0. Null without any. */
    min: z.number().nullable(),
    max: z.number().nullable(),
    newest: z.number().nullable(),
    /** Times of the first and the last number. */
    first: timestamp.nullable(),
    last: timestamp.nullable(),
    /** The newest value, whatever it is; a long text is cut. Of records that came at one instant the last one's. */
    value: z.union([z.number(), z.string(), z.boolean()]),
    value_time: timestamp,
  })
  .meta({ id: 'KeyFacts' });
export type KeyFacts = Readonly<z.output<typeof keyFacts>>;

export const keyFactsOperations = {
  'key-facts.list': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/key-facts',
    permissions: ['admin'],
    action: 'get key facts',
    message: 'Key facts retrieved successfully.',
    description:
      'What a device has of each of its keys: how many values, and of its numbers the smallest, the largest and the newest, and when the first and the last one were; and the newest value, whatever it is.',
    input: oneDevice.extend({ view }),
    output: z.array(keyFacts),
  }),
} as const;
