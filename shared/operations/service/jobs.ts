import { z } from 'zod';
import { JOB_KINDS, JOB_STATES, JOB_UNITS } from '../../domain/events.ts';
import { operation } from '../../schema/operation.ts';
import { id } from '../../schema/schemas.ts';

const job = z.object({
  id: z.string(),
  kind: z.enum(JOB_KINDS),
  account_id: z.string(),
  project_id: z.string(),
  device_id: z.string().nullable(),
  /** Name of its subject; "" for none. */
  name: z.string(),
  state: z.enum(JOB_STATES),
  done: z.number(),
  total: z.number().nullable(),
  unit: z.enum(JOB_UNITS),
  elapsed_ms: z.number(),
  cancellable: z.boolean(),
  problem: z.string().nullable(),
});

export const jobOperations = {
  // docs/local-api.md, "Jobs"
  'jobs.list': operation({
    method: 'GET',
    path: '/_local/v1/jobs',
    permissions: ['admin'],
    action: 'list jobs',
    message: 'Jobs retrieved successfully.',
    description: 'Long work under way that the key could have started, oldest first.',
    input: z.object({}),
    output: z.array(job),
  }),
  'jobs.cancel': operation({
    method: 'POST',
    path: '/_local/v1/jobs/cancel',
    permissions: ['admin'],
    action: 'cancel job',
    message: 'Job cancelled, or not running any more.',
    description:
      'Cancels long work that the key could have started: whoever asked for it gets an error, and nothing of it is kept. What is not running any more, or is not known, is no error.',
    input: z.object({ id }),
    output: z.object({ cancelled: z.boolean() }),
  }),
} as const;
