import { z } from 'zod';
import { REQUEST_DOORS } from '../domain/sources.ts';
import { oneOf, text } from './schemas.ts';

const METHOD_RULE =
  'must be a method such as "POST", or a packet of MQTT such as "PUBLISH", in capital letters';

/** What requests are known by, to verify them (docs/rigs.md, "What was asked") and to make them fail ("Faults"). */
export const requestFacts = {
  door: oneOf(REQUEST_DOORS).optional(),
  /** Id of the operation, or "ingest" for what devices store. */
  operation: text(1, 100).optional(),
  method: z
    .string(METHOD_RULE)
    .regex(/^[A-Z-]{1,20}$/, METHOD_RULE)
    .optional(),
  /** How the path, or the topic, begins. */
  path: text(1, 1000).optional(),
  key_id: text(1, 100).optional(),
  device_id: text(1, 100).optional(),
};

const facts = z.strictObject(requestFacts);
export type FactsMatch = Readonly<z.output<typeof facts>>;
