import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { inProject } from '../../schema/paths.ts';
import {
  checkOrder,
  count,
  functionFields,
  id,
  optionalRange,
  timestamp,
  uuid,
} from '../../schema/schemas.ts';

/* docs/functions.md, "Tried on the past": what a rule would have done. */

const firing = z
  .object({
    /** When the condition became true, when it had been true for long enough, and when it ceased to be; null while it is. */
    start: timestamp,
    fired: timestamp,
    end: timestamp.nullable(),
  })
  .meta({ id: 'Firing' });

export const ruleOperations = {
  'rules.try': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/rules/try',
    permissions: ['admin'],
    mayTakeLong: true,
    action: 'try rule',
    message: 'Rule tried successfully.',
    description:
      'What a rule would have done on a device, or on each with its tag: how often it fires in the span, and the newest firings. Nothing is changed.',
    input: inProject
      .extend({ condition: functionFields.condition, device_id: id.nullish(), ...optionalRange })
      .superRefine(checkOrder),
    output: z.array(
      z.object({
        device_id: uuid,
        count,
        firings: z.array(firing),
        /** Why it may say less than is meant: a key that no record has so far, readings that were too many; null for nothing. */
        problem: z.string().nullable(),
      }),
    ),
  }),
} as const;
