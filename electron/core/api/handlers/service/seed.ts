import { z } from 'zod';
import { seedFile } from '#shared/operations/service/seed.ts';
import type { HandlersOf } from '../../context.ts';

/** Made when it is asked for first. */
let schema: Record<string, unknown> | undefined;

export const seedHandlers: HandlersOf<'seed'> = {
  'seed.schema': () => ({
    data: (schema ??= { ...z.toJSONSchema(seedFile, { io: 'input', unrepresentable: 'any' }) }),
  }),
};
