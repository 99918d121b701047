import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { wholeNumberInBody } from '../../schema/schemas.ts';

/* docs/local-api.md, "Settings": what people set for the whole installation. */

const settings = z
  .object({
    /** Days for which what is deleted can be had back. */
    keep_days: z.int(),
    /** Whether deletes under /v2 can be undone, too. */
    keep_v2_deletes: z.boolean(),
  })
  .meta({ id: 'Settings' });
const settingsPath = '/_local/v1/settings';

export const settingsOperations = {
  'settings.get': operation({
    method: 'GET',
    path: settingsPath,
    permissions: ['admin'],
    reach: 'installation',
    action: 'get settings',
    message: 'Settings retrieved successfully.',
    description: 'The settings of the installation.',
    input: z.object({}),
    output: settings,
  }),
  'settings.update': operation({
    method: 'PATCH',
    path: settingsPath,
    permissions: ['admin'],
    reach: 'installation',
    action: 'update settings',
    message: 'Settings updated successfully.',
    description:
      'Changes the settings that are given. What was deleted before is kept as long as was said then.',
    input: z.object({
      keep_days: wholeNumberInBody(1, 3650).optional(),
      keep_v2_deletes: z.boolean('must be true or false').optional(),
    }),
    output: settings,
  }),
} as const;
