import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import {
  checkOrder,
  count,
  keyList,
  optionalRange,
  timestamp,
  view,
  wholeNumber,
} from '../../schema/schemas.ts';
import { oneDevice } from '../../schema/paths.ts';

/** Equal values that follow one another; a value lasts until another one comes. */
export const stateRun = z
  .object({
    from: timestamp,
    /** When the next one came, or the end of the span. */
    to: timestamp,
    /** Null where several lie within one column of the picture. */
    value: z.union([z.string(), z.boolean()]).nullable(),
    /** Changes inside of it; 0 where the value is told. */
    changes: count,
    /** False: it held before the span began. */
    from_known: z.boolean(),
    /** False: it holds at the end of the span. */
    to_known: z.boolean(),
  })
  .meta({ id: 'StateRun' });

const keyStates = z.object({
  key: z.string(),
  /** Different values, counted up to 256. */
  words: count,
  /** Of the newest text or boolean up to the end of the span. */
  last_time: timestamp.nullable(),
  runs: z.array(stateRun),
});
export type KeyStates = z.infer<typeof keyStates>;

export const statesOperations = {
  'states.get': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/devices/:device_id/states',
    permissions: ['admin'],
    action: 'get states',
    message: 'States retrieved successfully.',
    description:
      'Texts and booleans of each key as runs of equal values, for a picture of `width` columns: at most two runs for each column; where more than one begins and ends within a column they are one run whose value is null. Without `keys`, of every key that holds texts or booleans alone in the span. A text of more than 256 UTF-16 code units is given by its first 256.',
    input: oneDevice
      .extend({ ...optionalRange, keys: keyList, width: wholeNumber(1, 10_000), view })
      .superRefine(checkOrder),
    output: z.object({ start: timestamp, end: timestamp, width: count, keys: z.array(keyStates) }),
  }),
} as const;
