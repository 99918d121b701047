import { z } from 'zod';
import { operation } from '../../schema/operation.ts';

/* docs/rigs.md, "Chance": whether ids, keys and tokens follow from a seed. */

const chance = z
  .object({
    /** Whether the service was started with --seed. */
    seeded: z.boolean(),
    /** That secrets can be guessed, for people to read; null where none was made with a seed. */
    warning: z.string().nullable(),
  })
  .meta({ id: 'Chance' });
export type ChanceNow = Readonly<z.output<typeof chance>>;

export const chanceOperations = {
  'chance.get': operation({
    method: 'GET',
    path: '/_local/v1/chance',
    permissions: ['read'],
    action: 'get chance',
    message: 'Chance retrieved successfully.',
    description:
      'Whether ids, API keys and device tokens follow from a seed (--seed), so that they can be guessed. The seed itself stands among the notes of the status.',
    input: z.object({}),
    output: chance,
  }),
} as const;
